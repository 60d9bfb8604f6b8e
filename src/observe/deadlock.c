/* SPDX-License-Identifier: MIT */
/*
 * Deadlocks. README.md says when there is one. As with snapshots, everything is read while
 * it may change, by relaxed loads and without taking part; so there must be several looks
 * between which no strand has stopped or resumed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pool/above.h"
#include "pool/pool.h"
#include "strand/names.h"
#include "strand/root.h"

#define LOOKS 4           /* at which nothing has changed, 100 ms apart */
#define STRANDS_SHOWN 32u /* in the report */

struct look {
	struct filch_pool *by; /* the pool whose worker looks */
	bool may_wake;         /* something is left that may wake a strand */
	size_t strands;
	uint64_t threads; /* of all pools */
	uint64_t steps;   /* how often strands have stopped or resumed */
};

/* Whether only strands, or threads that call Filch, end such a wait. Deadlines are timers,
 * which are looked at apart. */
static bool is_inner(enum filch__why why)
{
	switch (why) {
	case filch__why_input:
	case filch__why_output:
	case filch__why_file:
	case filch__why_helper:
	case filch__why_other:
		return false;
	default:
		return true;
	}
}

/* The workers that have written this sleep, but ThreadSanitizer does not see why. */
__attribute__((no_sanitize("thread"))) static enum filch__why why_of(
	const struct filch__strand *s)
{
	return s->reason.why;
}

static void look_at_strand(struct filch__stack *stack, void *arg)
{
	struct filch__strand *s = filch__strand_of(stack);
	struct look *l = arg;

	if (!load_rlx(&s->runs)) /* a look only */
		return;
	l->strands++;
	if (filch__strand_state(load_rlx(&s->state)) != FILCH__SUSPENDED || /* a look */
	    !is_inner(why_of(s)))
		l->may_wake = true;
}

static bool has_timers(struct filch_pool *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->rows; i++) {
		filch__lock(&p->timers[i].lock);
		n += p->timers[i].count;
		filch__unlock(&p->timers[i].lock);
	}
	return n;
}

/* Whether the worker sleeps, or is the one that looks. */
static bool is_asleep(const struct look *l, struct filch__pool_whole *p, uint32_t i)
{
	uint32_t state = load_rlx(&p->parker[i].state); /* a look only */

	return filch__parker_is_idle(state) || (&p->pool == l->by && i == 0);
}

static void look_at_pool(struct filch__pool_whole *whole, void *arg)
{
	struct filch_pool *p = &whole->pool;
	struct look *l = arg;

	l->threads += whole->started;
	for (uint32_t i = 0; i < whole->started; i++) {
		struct filch__counters *c = &p->seat[i].worker.counters;

		l->may_wake |= !is_asleep(l, whole, i);
		l->steps += load_rlx(&c->suspended) + load_rlx(&c->resumed); /* looks */
	}
	l->may_wake |= load_rlx(&p->stop) || load_rlx(&p->guests) || /* looks only */
	               !filch__inbox_empty(&p->inbox) || has_timers(p);
	for (unsigned d = 0; d < FILCH__DEPTHS && !l->may_wake; d++)
		filch__stacks_each(&p->stacks[d], look_at_strand, l);
}

/* Returns how many threads the process has, or 0 if that cannot be read. */
static uint64_t threads_now(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	uint64_t n = 0;
	char line[128];

	while (f && !n && fgets(line, sizeof line, f))
		if (sscanf(line, "Threads: %" SCNu64, &n) != 1)
			n = 0;
	if (f)
		fclose(f);
	return n;
}

/* ThreadSanitizer has a thread of its own, except in the child of a fork, where nothing is
 * reported then. */
static bool is_stuck(struct look *l)
{
	filch__pools_each(look_at_pool, l);
	return !l->may_wake && l->strands &&
	       threads_now() == l->threads + load_rlx(&filch__stuck) + /* a look only */
	                                FILCH__TSAN;
}

static void show_strand(struct filch__stack *stack, void *arg)
{
	struct filch__strand *s = filch__strand_of(stack);
	uintptr_t title = load_rlx(&s->runs); /* a look only */
	unsigned *shown = arg;

	if (!title || (*shown)++ >= STRANDS_SHOWN)
		return;
	fprintf(stderr, "  task '%s' waits for %s\n", filch__title_name(title).text,
	        filch__why_text(why_of(s)));
}

static void show_pool(struct filch__pool_whole *whole, void *arg)
{
	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		filch__stacks_each(&whole->pool.stacks[d], show_strand, arg);
}

_Noreturn static void report(void)
{
	unsigned shown = 0;

	fprintf(stderr, "filch: deadlock: each of these strands waits for another, and "
	                "nothing is left that could wake one:\n");
	filch__pools_each(show_pool, &shown);
	if (shown > STRANDS_SHOWN)
		fprintf(stderr, "  and %u more\n", shown - STRANDS_SHOWN);
	fprintf(stderr, "  (FILCH_DEADLOCKS=off lets the process wait on)\n");
	abort();
}

void filch__look_stuck(struct filch_pool *pool)
{
	static _Atomic(uint32_t) reported;
	struct look l = {.by = pool};

	if (!is_stuck(&l) || l.steps != pool->stuck_since) {
		pool->stuck_since = l.steps;
		pool->stuck_looks = 0;
		return;
	}
	if (++pool->stuck_looks == LOOKS &&
	    !xchg_rlx(&reported, 1)) /* by one pool only */
		report();
}
