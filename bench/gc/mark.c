/* SPDX-License-Identifier: MIT */
#include "bench/gc/mark.h"

#include <string.h>

#include "base/random.h"
#include "bench/gc/crew.h"
#include "bench/gc/stack.h"

/* What leaves a full queue, or returns to an empty one, at a time; G1's concurrent marking
 * moves as many. */
#define GC_CHUNK 1024

void gc_crew_init(struct gc_crew *c, const struct gc_run *run)
{
	*c = (struct gc_crew){.run = run};
	c->seconds = rounds_allocate(run->cycles, sizeof *c->seconds);
	if (pthread_barrier_init(&c->barrier, NULL, (unsigned)run->markers))
		rounds_fail("a barrier cannot be made");
}

double gc_crew_destroy(struct gc_crew *c)
{
	double seconds = bench_median(c->seconds, c->cycle);

	pthread_barrier_destroy(&c->barrier);
	free(c->seconds);
	return seconds;
}

void gc_crew_end(struct gc_crew *c, struct gc_span span)
{
	gc_heap_check(c->run->heap);
	c->seconds[c->cycle++] = (double)(span.end - span.begin) * 1e-9;
	store_rlx(&c->idle, 0); /* the barrier publishes it */
}

#define FILCH_QUEUE bwos_lifo
#include "bench/gc/kind.inc.h"
#undef FILCH_QUEUE

#define FILCH_QUEUE chase_lev
#include "bench/gc/kind.inc.h"
#undef FILCH_QUEUE

#define FILCH_QUEUE abp
#include "bench/gc/kind.inc.h"
#undef FILCH_QUEUE

#define FILCH_QUEUE locked
#include "bench/gc/kind.inc.h"
#undef FILCH_QUEUE
