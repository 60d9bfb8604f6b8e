/* SPDX-License-Identifier: MIT */
/*
 * What the marking threads of a run share whatever their queues are: when a cycle begins,
 * and when it is over.
 *
 * The end of a cycle. `idle` counts threads with nothing in hand, in their queue or in
 * their overflow. Only its owner fills a queue, and a thread stops being idle before it
 * tries to steal; so when all are idle at once, there is nothing anywhere, and there will
 * be nothing. The count that says so is final, for no thread stops being idle then. All of
 * this is one word and each thread's own order of doing things: relaxed accesses will do.
 * (A queue's EMPTY to its owner is exact: what the owner does not have, a thief has.)
 */
#ifndef FILCH_BENCH_GC_CREW_H
#define FILCH_BENCH_GC_CREW_H

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "bench/gc/mark.h"

struct gc_crew {
	const struct gc_run *run;
	pthread_barrier_t barrier;                  /* orders what cycles do */
	double *seconds;                            /* by cycle */
	size_t cycle;                               /* the present one */
	alignas(FILCH_LINE) _Atomic(uint64_t) here; /* arrivals at all starts together */
	alignas(FILCH_LINE) _Atomic(size_t) idle;
};

/* When a marker began and ended a cycle. */
struct gc_span {
	uint64_t begin, end; /* ns */
};

/* Waits a little, longer every time, and lets others run if that does not help. */
static inline void gc_wait(unsigned *turns)
{
	if (*turns >= 1024) {
		sched_yield();
		return;
	}
	*turns = *turns ? 2 * *turns : 16;
	for (unsigned i = 0; i < *turns; i++)
		filch__relax();
}

/* Lets all begin the present cycle at once: those that the barrier lets go wake up one
 * after the other. */
static inline void gc_crew_begin(struct gc_crew *c)
{
	uint64_t all;
	unsigned turns = 0;

	pthread_barrier_wait(&c->barrier);
	all = (c->cycle + 1) * c->run->markers;
	add_rlx(&c->here, 1); /* the barrier orders; this is for the clock only */
	while (load_rlx(&c->here) < all) /* as above */
		gc_wait(&turns);
}

/* A thread has nothing left. True if nobody has: the cycle is over. */
static inline bool gc_crew_idle(struct gc_crew *c)
{
	return add_rlx(&c->idle, 1) + 1 == c->run->markers; /* see the top */
}

/* An idle thread wants to steal. False if it may not: the cycle is over. */
static inline bool gc_crew_busy(struct gc_crew *c)
{
	size_t n = load_rlx(&c->idle); /* the CAS re-checks */

	while (n < c->run->markers)
		if (cas_rlx(&c->idle, &n, n - 1)) /* see the top */
			return true;
	return false;
}

void gc_crew_init(struct gc_crew *c, const struct gc_run *run);

/* The seconds that marking took, the median of the cycles. */
double gc_crew_destroy(struct gc_crew *c);

/* By one thread, between two barriers: takes the time, checks the marks and clears them. */
void gc_crew_end(struct gc_crew *c, struct gc_span span);

#endif
