/* SPDX-License-Identifier: MIT */
/*
 * Timers: what is to happen at a time. A wheel of wheels (Varghese and Lauck, 1987):
 * adding and taking back cost the same however many timers there are, and nothing is
 * allocated. A timer goes off up to a tick (16 us) late.
 *
 * A timer lies in the wheel of the highest digit (of 6 bits) in which its tick differs
 * from the present one, and moves at most once per wheel on its way down. Timers are
 * fired in batches, so that the strands of a hundred thousand that are due at once run
 * while they are warm; lookout.h says by whom.
 */
#ifndef FILCH_SCHED_TIMER_H
#define FILCH_SCHED_TIMER_H

#include <stddef.h>

#include "base/list.h"
#include "base/lock.h"
#include "strand/strand.h"

#define FILCH__TICK_BITS 14u /* a tick has 2^14 nanoseconds */
#define FILCH__WHEEL_BITS 6u /* a wheel has 2^6 slots */
#define FILCH__WHEELS 9u     /* 14 + 9 * 6 bits are more than the 64 of a time */
#define FILCH__SLOTS (1u << FILCH__WHEEL_BITS)
#define FILCH__AHEAD 16u

struct filch__timer {
	struct filch__link link;  /* in its slot; under the lock */
	struct filch__timers *in; /* where it is to be set, or was; NULL: nowhere yet */
	uint32_t place;           /* 1 + its slot; 0: it is not set; under the lock */
	_Atomic(uint32_t) fired; /* its ticket was copied: no thread uses the timer now */
	struct filch__timer *ahead; /* some places on in the slot; only prefetched */
	uint64_t deadline;
	struct filch__ticket ticket;          /* the timer wakes this, or */
	void (*fire)(struct filch__timer *t); /* when not NULL: calls this */
	const void *also;                     /* memory to prefetch then, or NULL */
};

struct filch__timers {
	/* No timer goes off before then; any thread reads it, often. */
	_Atomic(uint64_t) earliest;
	alignas(FILCH_LINE) struct filch__lock lock; /* protects all that follows */
	uint64_t tick; /* all timers before this tick have gone off */
	size_t count;
	uint64_t used[FILCH__WHEELS]; /* a bit for each slot that is not empty */
	struct filch__list slot[FILCH__WHEELS * FILCH__SLOTS];
	/* The last timers that were put into each slot. They may be gone. */
	struct filch__timer *recent[FILCH__WHEELS * FILCH__SLOTS][FILCH__AHEAD];
	uint8_t turn[FILCH__WHEELS * FILCH__SLOTS];
};

void filch__timers_init(struct filch__timers *ts, uint64_t now);

/* Sets a timer whose in, deadline, ticket and fire the caller has filled in, and whose
 * place is 0. Returns true if it now comes before all others there. Caller: holds the
 * lock of those. */
bool filch__timer_set(struct filch__timer *t);

/* Takes a timer back. Returns false if it has gone off, or is about to: its ticket may
 * then still be used, or `fire` be called. Caller: has set it, or comes
 * after the thread that has. */
bool filch__timer_unset(struct filch__timer *t);

/* Returns true if a timer that wakes a ticket has gone off, and no thread uses it now.
 * Caller: the strand that has set it. */
bool filch__timer_has_fired(struct filch__timer *t);

/* A timer that has gone off. */
struct filch__due {
	struct filch__ticket ticket;
	struct filch__timer
		*timer; /* when not NULL: timer->fire(timer) is to be called */
	const void *also;
};

/* Takes out up to `most` timers that are due, for the caller to fire without the lock;
 * those that wake a ticket are copied. Returns how many it took. */
size_t filch__timers_due(struct filch__timers *ts, uint64_t now, struct filch__due *due,
                         size_t most);

/* Asserts README.md's invariants of timers. Caller: holds the lock. */
void filch__timers_check(struct filch__timers *ts);

#endif
