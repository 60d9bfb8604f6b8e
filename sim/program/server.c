/* SPDX-License-Identifier: MIT */
/*
 * A server: many strands, each of which waits for a random time, as if for a request, and
 * answers it in the given time, a few times. Tasks start the strands, so that starting
 * them is not what takes long.
 */
#include "sim/program/program.h"

#define REQUESTS 4
#define WAIT_NS 2000000u /* at most; half of it on average */
#define BLOCK 64

static uint64_t answer_ns, seed;

FILCH_STATIC_TASK_VOID(connection, (uint64_t, i))
{
	for (unsigned k = 0; k < REQUESTS; k++) {
		filch_sleep(sim_hash(sim_hash(seed + i) + k) % WAIT_NS);
		sim_work(answer_ns);
	}
}

static void block(uint64_t begin, uint64_t end)
{
	struct filch_future *f[BLOCK];

	for (uint64_t i = begin; i < end; i++)
		f[i - begin] = FILCH_GO(connection, i);
	for (uint64_t i = begin; i < end; i++) {
		filch_await(f[i - begin]);
		filch_future_drop(f[i - begin]);
	}
}

FILCH_STATIC_TASK_VOID(serve, (uint64_t, begin), (uint64_t, end))
{
	if (end - begin <= BLOCK) {
		block(begin, end);
		return;
	}
	FILCH_SPAWN(x, serve, begin, begin + (end - begin) / 2);
	FILCH_CALL(serve, begin + (end - begin) / 2, end);
	FILCH_JOIN(x);
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	answer_ns = a->grain;
	seed = a->seed;
	sim_begin(pool);
	FILCH_RUN_ON(pool, serve, 0, a->size);
}

const struct sim_program sim_server = {
	.name = "server",
	.what = "SIZE strands; each waits 4 times for up to 2 ms, then computes",
	.size_is = "strands",
	.grain_is = "ns per request",
	.size = 10000,
	.size_most = 1000000,
	.grain = 5000,
	.grain_most = 1000000000,
	.run = run,
};
