/* SPDX-License-Identifier: MIT */
/*
 * Parking: a worker that finds nothing to do sleeps, and is woken when something becomes
 * stealable. No worker sleeps while there is something to steal. See README.md,
 * "Sleeping".
 *
 *   the worker                               the thread that makes work stealable
 *     filch__park_announce(lot, me);           ... grants it ...
 *     ... looks once more, everywhere ...      filch__park_notify(lot);
 *     nothing:  filch__park_doze(lot, me, ns, false);
 *     found it: filch__park_cancel(lot, me);
 *
 * A worker that lends its seat touches nothing of it while it sleeps, so that a thread
 * outside can take the seat (lend.h). That thread then is the worker: it announces,
 * sleeps and is called in its place. Meanwhile the worker's own thread sleeps on a word
 * apart, the bed.
 */
#ifndef FILCH_SCHED_PARK_H
#define FILCH_SCHED_PARK_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/tally.h"

enum filch__parker_state {
	FILCH__AWAKE,    /* at work, or searching */
	FILCH__IDLE,     /* announced: may be called, may be asleep */
	FILCH__WATCHING, /* as IDLE; asleep in the pool's driver, to be kicked there */
	FILCH__LENDABLE, /* as IDLE; asleep in its bed, so that its seat can be lent */
	FILCH__CALLED,   /* told to look again */
};

static inline bool filch__parker_is_idle(uint32_t state)
{
	return state != FILCH__AWAKE && state != FILCH__CALLED;
}

struct filch__parker {
	/* Written by its worker, and by the threads that call it. */
	alignas(FILCH_LINE) _Atomic(uint32_t) state;
	_Atomic(uint32_t) caller; /* 1 + the worker that called last, or 0; a hint */
	/* 1: the worker's own thread is to get up. Written by the threads that call it from
	 * LENDABLE, and taken back by that thread. */
	_Atomic(uint32_t) bed;
};

/* The parkers of a pool. */
struct filch__lot {
	/* Constant. */
	alignas(FILCH_LINE) uint32_t parkers;
	struct filch__parker *parker;
	void (*kick)(struct filch__lot *lot); /* wakes the worker that is WATCHING */

	/* How many parkers are idle in one of the three ways, now or in a moment. Any thread
	 * writes and reads it. */
	struct filch__tally idle;
};

/* Lifetime: `parker` is the caller's, and outlives the lot. `kick` may be NULL if no
 * worker ever watches. */
void filch__lot_init(struct filch__lot *lot, struct filch__parker *parker,
                     uint32_t parkers, void (*kick)(struct filch__lot *lot));

/* Announces that this worker will sleep. From here on it may be called; it must look for
 * work once more before it sleeps. */
void filch__park_announce(struct filch__lot *lot, uint32_t me);

/* Takes the announcement back. Returns true if the worker has been called meanwhile:
 * unless it continues to search, it must pass the call on with filch__park_notify(). */
bool filch__park_cancel(struct filch__lot *lot, uint32_t me);

/* Sleeps until the worker is called, or for at most `ns` nanoseconds, and stays announced.
 * Returns whether it may sleep on: the worker was not called. With `lends` the seat can be
 * lent meanwhile; then this does not return before it was given back. */
bool filch__park_doze(struct filch__lot *lot, uint32_t me, uint64_t ns, bool lends);

/* Says that this worker sleeps in the driver, so that a call kicks it there. Returns
 * false if the worker has been called already. filch__park_cancel() ends this. */
bool filch__park_watch(struct filch__lot *lot, uint32_t me);

/* In what follows, `from` is the worker that calls, or FILCH__OUTSIDE. */
#define FILCH__OUTSIDE UINT32_MAX

/* Calls this worker if it is idle. Returns whether it was. */
bool filch__park_call(struct filch__lot *lot, uint32_t from, uint32_t worker);

/* Calls an idle worker, the next one after the caller, but one that watches only if there
 * is no other. Returns whether it has called one. */
bool filch__park_notify_slow(struct filch__lot *lot, uint32_t from);

/* Returns the worker that filch__park_notify_slow() would call first: a hint. */
uint32_t filch__park_find(struct filch__lot *lot, uint32_t from);

/* Returns the worker that has called this one since it last asked, or FILCH__OUTSIDE. */
uint32_t filch__park_caller(struct filch__lot *lot, uint32_t me);

/* Whether the worker has been called, and has not seen it yet. */
static inline bool filch__park_is_called(struct filch__lot *lot, uint32_t me)
{
	return load_rlx(&lot->parker[me].state) == FILCH__CALLED; /* a hint */
}

/* Calls one idle worker, if there is any, after something was made stealable. Returns
 * false if none was idle: then workers that become idle will find it. */
static inline bool filch__park_notify(struct filch__lot *lot, uint32_t from)
{
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: the
	 * caller misses the announcement while the worker misses the work. */
	fence_sc();
	return filch__tally_any(&lot->idle, from) && filch__park_notify_slow(lot, from);
}

/* Calls all idle workers. */
void filch__park_notify_all(struct filch__lot *lot);

/* Takes the seat of a worker that lends it: that one first, then others. Returns it,
 * or FILCH__OUTSIDE. Caller: a thread outside, which is the worker from here on. */
uint32_t filch__park_borrow(struct filch__lot *lot, uint32_t first);

/* Gives the seat back: announces the worker, whose own thread is still asleep. Whatever
 * there is to do for it, the caller must call it afterwards. */
void filch__park_give_back(struct filch__lot *lot, uint32_t me);

/* Asserts the invariants of the lot. Caller: no thread is in a function of this file. */
void filch__lot_check(struct filch__lot *lot);

#endif
