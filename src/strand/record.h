/* SPDX-License-Identifier: MIT */
/*
 * The life of a record once it is exposed: which thread runs it, and which strand waits
 * for it. See README.md, "Records".
 *
 * `sync` begins as FILCH__RUNNING when the record is exposed (or as the root's address,
 * for a record that is run for a thread outside). The thread that runs the record tries
 * RUNNING -> DONE; the strand that joins it tries RUNNING -> itself. Whichever comes
 * second finds the other.
 */
#ifndef FILCH_STRAND_RECORD_H
#define FILCH_STRAND_RECORD_H

#include <assert.h>
#include <filch/task.h>
#include <stdbool.h>

#include "base/atomic.h"

#define FILCH__RUNNING ((uintptr_t)0)
#define FILCH__DONE ((uintptr_t)1)

static inline _Atomic(uintptr_t) *filch__record_sync(struct filch__record *r)
{
	return (_Atomic(uintptr_t) *)&r->sync;
}

/* Marks the task as done. This is the last access to the record, which may be gone
 * afterwards. Returns what waits for it, or RUNNING if nothing does so far. */
static inline uintptr_t filch__record_done(struct filch__record *r)
{
	uintptr_t seen = FILCH__RUNNING;

	/* S1 release: pairs with the acquires in filch__record_wait() and
	 * filch__record_is_done(); carries the result.
	 * S2 acquire: pairs with the release in filch__record_wait(); carries the waiting
	 * strand, stopped. */
	if (cas_acq_rel(filch__record_sync(r), &seen, FILCH__DONE))
		return FILCH__RUNNING;
	assert(seen != FILCH__DONE); /* a record is run once */
	return seen;
}

/* Leaves word that `waiter` is to be woken. Returns false if the task is done already. */
static inline bool filch__record_wait(struct filch__record *r, uintptr_t waiter)
{
	uintptr_t seen = FILCH__RUNNING;

	/* S2 release: pairs with the acquire in filch__record_done(); carries the waiting
	 * strand, stopped.
	 * S1 acquire: pairs with the release in filch__record_done(); carries the
	 * result. */
	if (cas_acq_rel(filch__record_sync(r), &seen, waiter))
		return true;
	assert(seen == FILCH__DONE); /* one strand joins it */
	return false;
}

static inline bool filch__record_is_done(struct filch__record *r)
{
	/* S1 acquire: pairs with the release in filch__record_done(); carries the
	 * result. */
	return load_acq(filch__record_sync(r)) == FILCH__DONE;
}

/* Returns the task of a record. An exposed record has a bit set in its task pointer as
 * well, for joins that cannot remove the mark and test it in one instruction. */
static inline const struct filch__task *filch__record_task(const struct filch__record *r)
{
	return (const struct filch__task *)((uintptr_t)r->task & ~(uintptr_t)1);
}

static inline bool filch__record_is_exposed(const struct filch__record *r)
{
	return r->mark < 2 * FILCH__LISTED_TOO && (r->mark & FILCH__EXPOSED);
}

/* The secret, as it is now: its lowest bits say whether a worker is hungry. */
static inline uint64_t filch__secret_now(void)
{
	return load_rlx((_Atomic(uint64_t) *)&filch__secret); /* a hint */
}

/* The part that the marks of all private records on the stack share: see below. */
static inline uint64_t filch__private_key(void)
{
	return (filch__secret_now() & ~(uint64_t)15) + FILCH__HEARD;
}

/* Whether a word is the mark of a private record that lies on the stack, at p: HEARD or
 * LIVE, and perhaps LISTED, beside its address and the secret. */
__attribute__((always_inline,
               no_sanitize("address", "thread", "undefined"))) static inline bool
filch__is_private_at(const void *p, uint64_t mark, uint64_t key)
{
	uint64_t rest = mark - ((uintptr_t)p + key);

	_Static_assert(FILCH__LIVE == 2 * FILCH__HEARD, "their difference is a bit");
	return (rest & ~(uint64_t)(FILCH__HEARD | FILCH__LISTED)) == 0;
}

/* The mark of a record with this mark, once it is exposed. */
static inline uint64_t filch__record_exposed_mark(uint64_t mark)
{
	if (!(mark & FILCH__LISTED))
		return FILCH__EXPOSED;
	return FILCH__EXPOSED | FILCH__LISTED | (mark > 15 ? FILCH__LISTED_TOO : 0);
}

/* LIVE, or 0 -> EXPOSED. Caller: the thread of the record's strand. */
static inline void filch__record_expose(struct filch__record *r,
                                        struct filch_group *group)
{
	r->group = group;
	store_rlx(filch__record_sync(r), FILCH__RUNNING); /* published by the queue */
	r->task = (const struct filch__task *)((uintptr_t)filch__record_task(r) | 1);
	*(volatile uint64_t *)&r->mark = filch__record_exposed_mark(r->mark);
}

/* EXPOSED -> LIVE. Caller: the thread of the record's strand, which has got the record
 * back from the deque, or could not put it there. It then puts a record that is LISTED into
 * its strand's list. */
static inline void filch__record_hide(struct filch__record *r)
{
	assert(filch__record_is_exposed(r));
	r->task = filch__record_task(r);
	if (r->mark & FILCH__LISTED_TOO)
		r->mark = (uintptr_t)r + filch__secret_now() + FILCH__LISTED;
	else if (r->mark & FILCH__LISTED)
		r->mark = FILCH__LIVE | FILCH__LISTED;
	else
		FILCH__PUBLISH(r, r->task);
}

#endif
