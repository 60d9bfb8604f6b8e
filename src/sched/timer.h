/* SPDX-License-Identifier: MIT */
/*
 * Timers: what is to happen at a time. A wheel of wheels (Varghese and Lauck, 1987): adding
 * and taking back cost the same however many timers there are, and nothing is allocated. A
 * timer goes off up to a tick (16 us) late. See README.md, "Timers".
 */
#ifndef FILCH_SCHED_TIMER_H
#define FILCH_SCHED_TIMER_H

#include <stddef.h>

#include "base/list.h"
#include "base/lock.h"
#include "strand/strand.h"

#define FILCH__TICK_BITS 14u /* of nanoseconds */
#define FILCH__WHEEL_BITS 6u /* a wheel has so many slots */
#define FILCH__WHEELS 9u     /* 14 + 9 * 6 bits are more than there are */
#define FILCH__SLOTS (1u << FILCH__WHEEL_BITS)
#define FILCH__AHEAD 16u

struct filch__timer {
	struct filch__link link; /* in its slot; under the lock */
	uint32_t place;          /* 1 + its slot; 0: it is not set; under the lock */
	_Atomic(uint32_t) fired; /* its ticket was copied: nobody touches the timer now */
	struct filch__timer *ahead; /* some places on in the slot, or gone: to prefetch */
	uint64_t deadline;
	struct filch__ticket ticket;          /* the timer wakes this, or */
	void (*fire)(struct filch__timer *t); /* when not NULL: calls this */
	const void *also; /* will be needed then: to prefetch, or NULL */
};

struct filch__timers {
	struct filch__lock lock; /* of all that follows */
	uint64_t tick;           /* all before this have gone off */
	size_t count;
	uint64_t used[FILCH__WHEELS]; /* a bit for each slot that is not empty */
	struct filch__list slot[FILCH__WHEELS * FILCH__SLOTS];
	/* The last timers that came to each slot. They may be gone. */
	struct filch__timer *recent[FILCH__WHEELS * FILCH__SLOTS][FILCH__AHEAD];
	uint8_t turn[FILCH__WHEELS * FILCH__SLOTS];
	_Atomic(uint64_t)
		earliest; /* none goes off before this time; anyone has a look */
};

void filch__timers_init(struct filch__timers *ts, uint64_t now);

/* Sets a timer whose deadline, ticket and fire the caller has filled in, and whose place is
 * 0. Returns true if it is the next of all now. Caller: holds the lock. */
bool filch__timer_set(struct filch__timers *ts, struct filch__timer *t);

/* Takes a timer back. Returns false if it has gone off, or is about to: its ticket may then
 * still be used, or `fire` be called. Caller: holds the lock. */
bool filch__timer_unset(struct filch__timers *ts, struct filch__timer *t);

/* Whether a timer that wakes a ticket has gone off, and nobody uses it any longer. Caller:
 * the strand that has set it. */
bool filch__timer_has_fired(struct filch__timer *t);

/* A timer that has gone off. */
struct filch__due {
	struct filch__ticket ticket;
	struct filch__timer
		*timer; /* when not NULL: timer->fire(timer) is to be called */
	const void *also;
};

/* Takes out up to `most` of those that are due, for the caller to fire without the lock;
 * those that wake a ticket are copied. Returns how many. */
size_t filch__timers_due(struct filch__timers *ts, uint64_t now, struct filch__due *due,
                         size_t most);

/* Asserts README.md's invariants of timers. Caller: holds the lock. */
void filch__timers_check(struct filch__timers *ts);

#endif
