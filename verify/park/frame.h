/* SPDX-License-Identifier: MIT */
/*
 * A stub of a pool, to check parking by itself: what can be stolen is a number of items.
 * A worker is done when it has had its items; one that sleeps for ever while there are
 * some is a lost wake-up, which the checker reports.
 */
#ifndef VERIFY_PARK_FRAME_H
#define VERIFY_PARK_FRAME_H

#include "client.h"
#include "sched/park.c"

#define PARKERS 2
#ifndef PASS_ON
#define PASS_ON true
#endif

struct state {
	struct filch__lot lot;
	struct filch__parker parker[PARKERS];
	_Atomic(uint32_t) items;
};

static struct state *s;

static void begin(struct state *state, uint32_t parkers)
{
	s = state;
	filch__lot_init(&s->lot, s->parker, parkers, NULL);
	atomic_init(&s->items, 0);
}

static bool steal(void)
{
	uint32_t n = load_rlx(&s->items);

	while (n)
		if (cas_rlx(&s->items, &n, n - 1))
			return true;
	return false;
}

static void produce(void)
{
	add_rlx(&s->items, 1);
	filch__park_notify(&s->lot, FILCH__OUTSIDE);
}

static void sleep_until_called(uint32_t me, bool lends)
{
	while (filch__park_doze(&s->lot, me, UINT64_MAX, lends))
		;
	filch__park_cancel(&s->lot, me);
}

/* Looks for work, and parks until there is some. */
static void work_once(uint32_t me)
{
	while (!steal()) {
		filch__park_announce(&s->lot, me);
		if (steal()) {
			COVER("found at the last look");
			if (filch__park_cancel(&s->lot, me) && PASS_ON) {
				COVER("called in vain");
				filch__park_notify(&s->lot, FILCH__OUTSIDE);
			}
			return;
		}
		sleep_until_called(me, false);
		COVER("slept");
	}
}

static inline void *worker_1(void *arg)
{
	work_once(0);
	return arg;
}

static inline void *worker_2(void *arg)
{
	work_once(1);
	return arg;
}

#endif
