/* SPDX-License-Identifier: MIT */
/*
 * Requests without a clock: a source sends a request to each of its strands, and to each
 * the next one when it has answered. All that a source makes ready waits in the stealable
 * set of one worker, for that worker or for thieves.
 */
#include <stdlib.h>

#include "sim/program/program.h"

#define REQUESTS 16
#define SHARE 1024 /* strands of a source */

struct line {
	struct filch_semaphore request, answer;
	char apart[128];
};

static uint64_t answer_ns;
static struct line *line;

FILCH_STATIC_TASK_VOID(strand, (uint64_t, i))
{
	for (unsigned k = 0; k < REQUESTS; k++) {
		filch_semaphore_acquire(&line[i].request);
		sim_work(answer_ns);
		filch_semaphore_release(&line[i].answer, 1);
	}
}

FILCH_STATIC_TASK_VOID(source, (uint64_t, begin), (uint64_t, end))
{
	struct filch_future *f[SHARE];

	for (uint64_t i = begin; i < end; i++)
		f[i - begin] = FILCH_GO(strand, i);
	for (unsigned k = 0; k < REQUESTS; k++)
		for (uint64_t i = begin; i < end; i++) {
			if (k)
				filch_semaphore_acquire(&line[i].answer);
			filch_semaphore_release(&line[i].request, 1);
		}
	for (uint64_t i = begin; i < end; i++) {
		filch_await(f[i - begin]);
		filch_future_drop(f[i - begin]);
	}
}

FILCH_STATIC_TASK_VOID(all, (uint64_t, begin), (uint64_t, end))
{
	struct filch_future *first;

	if (begin == end)
		return;
	first = FILCH_GO(source, begin, end - begin < SHARE ? end : begin + SHARE);
	FILCH_CALL(all, end - begin < SHARE ? end : begin + SHARE, end);
	filch_await(first);
	filch_future_drop(first);
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	answer_ns = a->grain;
	line = calloc(a->size, sizeof *line);
	if (!line)
		abort();
	sim_begin(pool);
	FILCH_RUN_ON(pool, all, 0, a->size);
	free(line);
}

const struct sim_program sim_burst = {
	.name = "burst",
	.what = "for each 1024 of SIZE strands a source that sends 16 requests to each",
	.size_is = "strands",
	.grain_is = "ns per request",
	.size = 1024,
	.size_most = 1000000,
	.grain = 5000,
	.grain_most = 1000000000,
	.run = run,
};
