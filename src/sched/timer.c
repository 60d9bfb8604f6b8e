/* SPDX-License-Identifier: MIT */
/*
 * A timer lies in the wheel of the highest digit (of 6 bits) in which its tick differs from
 * the present one, in the slot of its own digit. So in each wheel only slots ahead of the
 * present digit are used, none wraps round, and the next slot of all is the first one of
 * the lowest wheel that has any.
 *
 * Timers are in the frames of strands that have not run for long: to follow a list of them
 * is one cache miss after the other. So each knows the one that lies a few places ahead, to
 * be fetched in time. Nobody minds if that is gone.
 */
#include "sched/timer.h"

#include <assert.h>
#include <string.h>

#define LAST_TICK (UINT64_MAX >> FILCH__TICK_BITS)

void filch__timers_init(struct filch__timers *ts, uint64_t now)
{
	memset(ts, 0, sizeof *ts);
	ts->tick = now >> FILCH__TICK_BITS;
	atomic_init(&ts->next, UINT64_MAX);
}

/* The first tick that is not before the deadline. */
static uint64_t tick_of(uint64_t deadline)
{
	const uint64_t part = (UINT64_C(1) << FILCH__TICK_BITS) - 1;

	return deadline > UINT64_MAX - part ? LAST_TICK
	                                    : (deadline + part) >> FILCH__TICK_BITS;
}

static unsigned digit(uint64_t tick, unsigned wheel)
{
	return tick >> (wheel * FILCH__WHEEL_BITS) & (FILCH__SLOTS - 1);
}

static unsigned wheel_of(uint64_t tick, uint64_t now)
{
	return (63 - (unsigned)__builtin_clzll((tick ^ now) | 1)) / FILCH__WHEEL_BITS;
}

/* Returns the tick at which its slot's turn comes. */
static uint64_t put(struct filch__timers *ts, struct filch__timer *t)
{
	uint64_t tick = tick_of(t->deadline);
	unsigned wheel, slot, bits;
	struct filch__timer **head, **recent;

	if (tick < ts->tick)
		tick = ts->tick;
	wheel = wheel_of(tick, ts->tick);
	slot = wheel * FILCH__SLOTS + digit(tick, wheel);
	recent = &ts->recent[slot][ts->turn[slot]++ % FILCH__AHEAD];
	t->ahead = *recent;
	*recent = t;
	head = &ts->slot[slot];
	t->next = *head;
	t->link = head;
	if (*head)
		(*head)->link = &t->next;
	*head = t;
	ts->used[wheel] |= UINT64_C(1) << slot % FILCH__SLOTS;
	bits = wheel * FILCH__WHEEL_BITS;
	return tick >> bits << bits;
}

/* The slot is empty. */
static void clear(struct filch__timers *ts, size_t slot)
{
	ts->used[slot / FILCH__SLOTS] &= ~(UINT64_C(1) << slot % FILCH__SLOTS);
}

static void take(struct filch__timers *ts, struct filch__timer *t)
{
	/* Maybe the last of its slot: then the link is that slot's head. */
	size_t slot = ((uintptr_t)t->link - (uintptr_t)ts->slot) / sizeof *ts->slot;

	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	else if (slot < FILCH__WHEELS * FILCH__SLOTS && !ts->slot[slot])
		clear(ts, slot);
	t->link = NULL;
}

/* The next slot of all. */
struct turn {
	uint64_t tick; /* LAST_TICK + 1: there is none */
	unsigned wheel;
	size_t slot;
};

static struct turn next_turn(struct filch__timers *ts)
{
	for (unsigned w = 0; w < FILCH__WHEELS; w++) {
		unsigned bits = w * FILCH__WHEEL_BITS, slot;
		uint64_t above;

		if (!ts->used[w])
			continue;
		slot = (unsigned)__builtin_ctzll(ts->used[w]);
		above = bits + FILCH__WHEEL_BITS < 64
		                ? ts->tick >> (bits + FILCH__WHEEL_BITS)
		                                      << (bits + FILCH__WHEEL_BITS)
		                : 0;
		return (struct turn){above | (uint64_t)slot << bits, w,
		                     w * FILCH__SLOTS + slot};
	}
	return (struct turn){LAST_TICK + 1, 0, 0};
}

static uint64_t time_of(uint64_t tick)
{
	return tick > LAST_TICK ? UINT64_MAX : tick << FILCH__TICK_BITS;
}

bool filch__timer_set(struct filch__timers *ts, struct filch__timer *t)
{
	uint64_t at = time_of(put(ts, t));

	store_rlx(&t->fired, 0); /* the caller's */
	ts->count++;
	if (at >= load_rlx(&ts->next)) /* under the lock */
		return false;
	store_rlx(&ts->next, at); /* under the lock, or a look */
	return true;
}

bool filch__timer_unset(struct filch__timers *ts, struct filch__timer *t)
{
	if (!t->link)
		return false;
	take(ts, t);
	ts->count--;
	return true; /* `next` may now be early: somebody looks in vain, once */
}

/* The slot's turn has come: spreads it over the wheels below. */
static void spread(struct filch__timers *ts, struct turn turn)
{
	struct filch__timer *t = ts->slot[turn.slot];

	ts->tick = turn.tick;
	ts->slot[turn.slot] = NULL;
	clear(ts, turn.slot);
	while (t) {
		struct filch__timer *next = t->next;

		__builtin_prefetch(t->ahead, 1);
		put(ts, t);
		t = next;
	}
}

static struct filch__due due_of(struct filch__timer *t)
{
	struct filch__due due = {t->ticket, t->fire ? t : NULL, t->also};

	/* S13 release: pairs with the acquire in has_fired(); carries the end of all use of
	 * it, if it is one that wakes a ticket. */
	store_rel(&t->fired, 1);
	return due;
}

size_t filch__timers_due(struct filch__timers *ts, uint64_t now, struct filch__due *due,
                         size_t most)
{
	uint64_t tick = now >> FILCH__TICK_BITS;
	struct turn turn;
	size_t n = 0;

	if (now < load_rlx(&ts->next)) /* a look; whoever sets an earlier one stirs */
		return 0;
	filch__lock(&ts->lock);
	while (n < most && (turn = next_turn(ts)).tick <= tick) {
		if (turn.wheel) {
			spread(ts, turn);
			continue;
		}
		ts->tick = turn.tick;
		while (n < most && ts->slot[turn.slot]) {
			struct filch__timer *t = ts->slot[turn.slot];

			__builtin_prefetch(t->ahead, 1);
			take(ts, t);
			ts->count--;
			due[n++] = due_of(t);
		}
	}
	turn = next_turn(ts);
	if (turn.tick > tick && ts->tick < tick)
		ts->tick = tick;
	store_rlx(&ts->next, time_of(turn.tick)); /* under the lock, or a look */
	filch__unlock(&ts->lock);
	return n;
}
