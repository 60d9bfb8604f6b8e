/* SPDX-License-Identifier: MIT */
/*
 * A timer lies in the wheel of the highest digit (of 6 bits) in which its tick differs
 * from the present one, in the slot of its own digit. So in each wheel only slots ahead
 * of the present digit are used, none wraps round, and the slot whose turn comes next is
 * the first used one of the lowest wheel that has any.
 *
 * Timers are in the frames of strands that have not run for a while: following a list of
 * them is one cache miss after the other. So each timer knows one that lies a few places
 * ahead, to be fetched in time; it does no harm if that one is gone.
 */
#include "sched/timer.h"

#include <string.h>

#include "base/check.h"

#define LAST_TICK (UINT64_MAX >> FILCH__TICK_BITS)

void filch__timers_init(struct filch__timers *ts, uint64_t now)
{
	memset(ts, 0, sizeof *ts);
	ts->tick = now >> FILCH__TICK_BITS;
	atomic_init(&ts->earliest, UINT64_MAX);
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

/* Puts the timer into its slot. Returns the tick at which the slot's turn comes. */
static uint64_t put(struct filch__timers *ts, struct filch__timer *t)
{
	uint64_t tick = tick_of(t->deadline);
	unsigned wheel, slot, bits;
	struct filch__timer **recent;

	if (tick < ts->tick)
		tick = ts->tick;
	wheel = wheel_of(tick, ts->tick);
	slot = wheel * FILCH__SLOTS + digit(tick, wheel);
	recent = &ts->recent[slot][ts->turn[slot]++ % FILCH__AHEAD];
	t->ahead = *recent;
	*recent = t;
	t->place = 1 + slot;
	filch__list_push_first(&ts->slot[slot], &t->link);
	ts->used[wheel] |= UINT64_C(1) << slot % FILCH__SLOTS;
	bits = wheel * FILCH__WHEEL_BITS;
	return tick >> bits << bits;
}

/* Marks the slot as empty. */
static void clear(struct filch__timers *ts, size_t slot)
{
	ts->used[slot / FILCH__SLOTS] &= ~(UINT64_C(1) << slot % FILCH__SLOTS);
}

static void take(struct filch__timers *ts, struct filch__timer *t)
{
	size_t slot = t->place - 1;

	assert(t->place);
	filch__list_remove(&ts->slot[slot], &t->link);
	if (filch__list_empty(&ts->slot[slot]))
		clear(ts, slot);
	t->place = 0;
}

/* The slot whose turn comes next. */
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

bool filch__timer_set(struct filch__timer *t)
{
	struct filch__timers *ts = t->in;
	uint64_t at;

	assert(!t->place);
	at = time_of(put(ts, t));
	store_rlx(&t->fired, 0); /* the caller's */
	ts->count++;
	if (at >= load_rlx(&ts->earliest)) /* under the lock */
		return false;
	store_rlx(&ts->earliest, at); /* under the lock, or a look */
	return true;
}

bool filch__timer_unset(struct filch__timer *t)
{
	struct filch__timers *ts = t->in;
	bool set;

	if (!ts)
		return false;
	filch__lock(&ts->lock);
	set = t->place;
	if (set) {
		take(ts, t);
		assert(ts->count);
		ts->count--;
	}
	filch__unlock(&ts->lock);
	return set; /* `earliest` may now be early: some worker looks in vain, once */
}

/* Spreads a slot whose turn has come over the wheels below. */
static void spread(struct filch__timers *ts, struct turn turn)
{
	struct filch__link *x = ts->slot[turn.slot].first;

	assert(turn.tick >= ts->tick);
	ts->tick = turn.tick;
	ts->slot[turn.slot] = (struct filch__list){NULL, NULL};
	clear(ts, turn.slot);
	while (x) {
		struct filch__timer *t = FILCH__HOLDER(x, struct filch__timer, link);

		x = x->next;
		__builtin_prefetch(t->ahead, 1);
		put(ts, t);
	}
}

static struct filch__due due_of(struct filch__timer *t)
{
	struct filch__due due = {t->ticket, t->fire ? t : NULL, t->also};

	/* S13 release: pairs with the acquire in filch__timer_has_fired(); carries the
	 * end of all use of a timer that wakes a ticket. */
	store_rel(&t->fired, 1);
	return due;
}

bool filch__timer_has_fired(struct filch__timer *t)
{
	/* S13 acquire: pairs with the release in due_of(); carries the end of all use of
	 * the timer. */
	return load_acq(&t->fired);
}

size_t filch__timers_due(struct filch__timers *ts, uint64_t now, struct filch__due *due,
                         size_t most)
{
	uint64_t tick = now >> FILCH__TICK_BITS;
	struct turn turn;
	size_t n = 0;

	if (now <
	    load_rlx(&ts->earliest)) /* a look; a thread that sets an earlier one stirs */
		return 0;
	filch__lock(&ts->lock);
	while (n < most && (turn = next_turn(ts)).tick <= tick) {
		if (turn.wheel) {
			spread(ts, turn);
			continue;
		}
		ts->tick = turn.tick;
		while (n < most && !filch__list_empty(&ts->slot[turn.slot])) {
			struct filch__timer *t = FILCH__HOLDER(ts->slot[turn.slot].first,
			                                       struct filch__timer, link);

			__builtin_prefetch(t->ahead, 1);
			take(ts, t);
			ts->count--;
			due[n++] = due_of(t);
		}
	}
	turn = next_turn(ts);
	if (turn.tick > tick && ts->tick < tick)
		ts->tick = tick;
	store_rlx(&ts->earliest, time_of(turn.tick)); /* under the lock, or a look */
	if (ts->count < 256) /* a walk over more takes too long */
		FILCH__CHECK(filch__timers_check(ts));
	filch__unlock(&ts->lock);
	return n;
}

void filch__timers_check(struct filch__timers *ts)
{
	size_t n = 0;

	for (size_t slot = 0; slot < FILCH__WHEELS * FILCH__SLOTS; slot++) {
		size_t here = filch__list_check(&ts->slot[slot], SIZE_MAX);
		uint64_t bit = ts->used[slot / FILCH__SLOTS] >> slot % FILCH__SLOTS & 1;

		assert(bit == (here != 0));
		(void)bit;
		n += here;
	}
	assert(n == ts->count);
	assert(!n || load_rlx(&ts->earliest) != UINT64_MAX); /* under the lock */
	(void)n;
}
