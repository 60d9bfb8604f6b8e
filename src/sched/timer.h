/* SPDX-License-Identifier: MIT */
/*
 * Timers: what is to happen at a time. A wheel of wheels (Varghese and Lauck, 1987): to
 * add and to take back cost the same however many there are, and nothing is allocated.
 * A timer goes off up to a tick (16 us) late.
 */
#ifndef FILCH_SCHED_TIMER_H
#define FILCH_SCHED_TIMER_H

#include <stddef.h>

#include "sched/lock.h"
#include "sched/strand.h"

#define FILCH__TICK_BITS 14u /* of nanoseconds */
#define FILCH__WHEEL_BITS 6u /* a wheel has so many slots */
#define FILCH__WHEELS 9u     /* 14 + 9 * 6 bits are more than there are */
#define FILCH__SLOTS (1u << FILCH__WHEEL_BITS)
#define FILCH__AHEAD 16u

struct filch__timer {
	struct filch__timer *next, **link; /* under the lock; link NULL: not set */
	struct filch__timer *ahead; /* some places on in the slot, or gone: to prefetch */
	uint64_t deadline;
	struct filch__ticket ticket;          /* wakes this, or */
	void (*fire)(struct filch__timer *t); /* when not NULL: calls this */
	const void *also;        /* will be needed then: to prefetch, or NULL */
	_Atomic(uint32_t) fired; /* a ticket was copied: nobody touches the timer now */
};

struct filch__timers {
	struct filch__lock lock;
	uint64_t tick; /* all before this have gone off */
	size_t count;
	uint64_t used[FILCH__WHEELS]; /* a bit for each slot that is not empty */
	struct filch__timer *slot[FILCH__WHEELS * FILCH__SLOTS];
	/* The last that came to each slot. They may be gone. */
	struct filch__timer *recent[FILCH__WHEELS * FILCH__SLOTS][FILCH__AHEAD];
	uint8_t turn[FILCH__WHEELS * FILCH__SLOTS];
	_Atomic(uint64_t) next; /* none goes off before this time; for those who look */
};

void filch__timers_init(struct filch__timers *ts, uint64_t now);

/* Sets a timer; its deadline, ticket and fire are the caller's. True if it is the next of
 * all now. Caller: holds the lock. */
bool filch__timer_set(struct filch__timers *ts, struct filch__timer *t);

/* Takes it back. False if it has gone off, or is about to: a ticket may then still be
 * used, `fire` be called. Caller: holds the lock. */
bool filch__timer_unset(struct filch__timers *ts, struct filch__timer *t);

/* Takes out up to `most` of those that are due, for the caller to fire without the lock;
 * those that wake a ticket are copied. Returns how many. */
struct filch__due {
	struct filch__ticket ticket;
	struct filch__timer *timer; /* when not NULL: timer->fire(timer) */
	const void *also;
};
size_t filch__timers_due(struct filch__timers *ts, uint64_t now, struct filch__due *due,
                         size_t most);

#endif
