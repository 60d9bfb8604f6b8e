/* SPDX-License-Identifier: MIT */
/*
 * Map and reduce with latency: each element is a future that sleeps, as if it fetched
 * something over a network, and then computes. Tasks divide the range into blocks; a block
 * starts its futures, awaits them and adds up the results.
 */
#include "sim/program/program.h"

#define BLOCK 16
#define COMPUTE_NS 50000u

static uint64_t latency_ns;

FILCH_STATIC_TASK(uint64_t, element, (uint64_t, i))
{
	filch_sleep(latency_ns);
	sim_work(COMPUTE_NS);
	return i;
}

static uint64_t block(uint64_t begin, uint64_t end)
{
	struct filch_future *f[BLOCK];
	uint64_t sum = 0;

	for (uint64_t i = begin; i < end; i++)
		f[i - begin] = FILCH_GO(element, i);
	for (uint64_t i = begin; i < end; i++) {
		sum += FILCH_AWAIT(element, f[i - begin]);
		filch_future_drop(f[i - begin]);
	}
	return sum;
}

FILCH_STATIC_TASK(uint64_t, map, (uint64_t, begin), (uint64_t, end))
{
	if (end - begin <= BLOCK)
		return block(begin, end);
	FILCH_SPAWN(x, map, begin, begin + (end - begin) / 2);
	uint64_t y = FILCH_CALL(map, begin + (end - begin) / 2, end);
	return FILCH_JOIN(x) + y;
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	latency_ns = a->grain * 1000;
	sim_begin(pool);
	FILCH_RUN_ON(pool, map, 0, a->size);
}

const struct sim_program sim_map = {
	.name = "map",
	.what = "map and reduce: SIZE futures, each sleeps and then computes 50 us",
	.size_is = "futures",
	.grain_is = "us that each sleeps",
	.size = 5000,
	.size_most = 1000000,
	.grain = 1000,
	.grain_most = 10000000,
	.run = run,
};
