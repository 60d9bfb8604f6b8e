/* SPDX-License-Identifier: MIT */
/*
 * The life of a record once it is exposed: who runs it, who waits for it. See
 * src/sched/README.md, "Records".
 *
 * `sync` begins as FILCH__RUNNING when the record is exposed (or as the waiter's, for a
 * record that is run for another thread). Whoever runs it tries RUNNING -> DONE; whoever
 * joins it tries RUNNING -> itself. The one that comes second finds the other.
 */
#ifndef FILCH_SCHED_RECORD_H
#define FILCH_SCHED_RECORD_H

#include <filch/task.h>
#include <stdbool.h>

#include "base/atomic.h"

#define FILCH__RUNNING ((uintptr_t)0)
#define FILCH__DONE ((uintptr_t)1)

static inline _Atomic(uintptr_t) *filch__record_sync(struct filch__record *r)
{
	return (_Atomic(uintptr_t) *)&r->sync;
}

/* The task is done: the last access to the record, which may be gone after it. Returns
 * who waits for it, or RUNNING if nobody does so far. */
static inline uintptr_t filch__record_done(struct filch__record *r)
{
	uintptr_t seen = FILCH__RUNNING;

	/* S1 release: pairs with the acquires in filch__record_wait() and
	 * filch__record_is_done(); carries the result.
	 * S2 acquire: pairs with the release in filch__record_wait(); carries the waiter,
	 * stopped. */
	if (cas_acq_rel(filch__record_sync(r), &seen, FILCH__DONE))
		return FILCH__RUNNING;
	return seen;
}

/* Leaves word that `waiter` is to be told. False if the task is done already. */
static inline bool filch__record_wait(struct filch__record *r, uintptr_t waiter)
{
	uintptr_t seen = FILCH__RUNNING;

	/* S2 release: pairs with the acquire in filch__record_done(); carries the waiter,
	 * stopped.
	 * S1 acquire: pairs with the release in filch__record_done(); carries the
	 * result. */
	return cas_acq_rel(filch__record_sync(r), &seen, waiter);
}

static inline bool filch__record_is_done(struct filch__record *r)
{
	/* S1 acquire: pairs with the release in filch__record_done(); carries the
	 * result. */
	return load_acq(filch__record_sync(r)) == FILCH__DONE;
}

/* An exposed record carries a mark in its task, too: for joins that cannot take the mark
 * back and look at it in one instruction. */
static inline const struct filch__task *filch__record_task(const struct filch__record *r)
{
	return (const struct filch__task *)((uintptr_t)r->task & ~(uintptr_t)1);
}

/* Both: its strand only. */
static inline void filch__record_expose(struct filch__record *r,
                                        struct filch_group *group)
{
	r->group = group;
	store_rlx(filch__record_sync(r), FILCH__RUNNING); /* published by the queue */
	r->task = (const struct filch__task *)((uintptr_t)filch__record_task(r) | 1);
	*(volatile uint32_t *)&r->mark = FILCH__EXPOSED;
}

static inline void filch__record_hide(struct filch__record *r)
{
	r->task = filch__record_task(r);
	FILCH__PUBLISH(r);
}

#endif
