/* SPDX-License-Identifier: MIT */
/*
 * filch bench sched: how soon an idle worker helps.
 */
#include <filch/task.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bench/bench.h"
#include "bench/sched/run.h"

#define LEAF_STEPS 250 /* some hundred nanoseconds, between two looks */

/* The longest that the spawner computes: then it does the task itself. A leaf that nobody can
 * interrupt, as where workers are asked by polling, gives this time. */
#define LONGEST_NS 50000000u

/* The start of the spawned task; 0: not yet. */
struct start {
	_Atomic(uint64_t) ns;
};

FILCH_STATIC_TASK(uint64_t, say_started, (struct start *, s))
{
	uint64_t now = filch__now_ns();

	store_rel(&s->ns, now); /* pairs with wait_for_start() */
	return now;
}

FILCH_STATIC_TASK(size_t, one)
{
	size_t n = 1;

	__asm__ volatile("" : "+r"(n));
	return n;
}

static void compute(size_t steps)
{
	uint64_t x = steps;

	for (size_t i = 0; i < steps; i++) {
		x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
		__asm__ volatile("" : "+r"(x));
	}
}

static void compute_ns(uint64_t ns)
{
	uint64_t end = filch__now_ns() + ns;

	while (filch__now_ns() < end)
		compute(LEAF_STEPS);
}

/* Computes until the task has started elsewhere, or for as long as a leaf is. */
static void wait_for_start(struct start *s, bool joins)
{
	uint64_t end = filch__now_ns() + LONGEST_NS;

	/* pairs with say_started() */
	while (!load_acq(&s->ns) && filch__now_ns() < end) {
		compute(LEAF_STEPS);
		if (joins) {
			FILCH_SPAWN(small, one);
			sched_check(FILCH_JOIN(small) == 1, "help");
		}
	}
}

/* Each theft is the last one before the next: the first is not counted. */
FILCH_STATIC_TASK_VOID(help, (size_t, n), (uint64_t, gap_ns), (bool, joins),
                       (double *, us))
{
	for (size_t i = 0; i <= n; i++) {
		struct start s = {0};
		uint64_t spawned;

		compute_ns(gap_ns);
		spawned = filch__now_ns();
		FILCH_SPAWN(task, say_started, &s);
		wait_for_start(&s, joins);
		sched_check(FILCH_JOIN(task) == load_rlx(&s.ns), "help"); /* joined */
		if (i > 0)
			us[i - 1] = (double)(load_rlx(&s.ns) - spawned) * 1e-3;
	}
}

static void measure(const struct sched_run *run, uint64_t gap_ns, bool joins, double *out)
{
	double *us = sched_allocate(run->size, sizeof *us);

	FILCH_RUN_ON(run->pool, help, run->size, gap_ns, joins, us);
	sched_percentiles(us, run->size, out);
	free(us);
}

#define HELP(name, gap_ns, joins)                                   \
	void sched_##name(const struct sched_run *run, double *out) \
	{                                                           \
		measure(run, gap_ns, joins, out);                   \
	}

HELP(help0, 0, false)
HELP(help1ms, 1000000, false)
HELP(help10ms, 10000000, false)
HELP(help0_joins, 0, true)
HELP(help1ms_joins, 1000000, true)
HELP(help10ms_joins, 10000000, true)
