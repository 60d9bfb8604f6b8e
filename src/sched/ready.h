/* SPDX-License-Identifier: MIT */
/*
 * What can wait to be picked up by a worker: a strand that may go on, the deque of a
 * strand that is stopped, a task that another thread wants to be run.
 *
 * Workers keep them in their stealable sets (a FIFO queue of theirs); other threads leave
 * them in the pool's inbox, a list that never fills up.
 */
#ifndef FILCH_SCHED_READY_H
#define FILCH_SCHED_READY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

enum filch__ready_kind { FILCH__READY_STRAND, FILCH__READY_DEQUE, FILCH__READY_ROOT };

/* First in what it stands for. */
struct filch__ready {
	struct filch__ready *next; /* in the inbox; whoever holds it writes */
	enum filch__ready_kind kind;
};

/* Anyone puts in front of `newest`. Workers take from `oldest`, one at a time; when that is
 * empty, all that is new is turned round and becomes it. */
struct filch__inbox {
	_Atomic(struct filch__ready *) newest;
	_Atomic(uint32_t) taken;     /* 1: somebody is taking */
	struct filch__ready *oldest; /* whoever is taking */
	_Atomic(uint32_t) more;      /* oldest is not NULL; for those who look */
};

static inline void filch__inbox_put(struct filch__inbox *b, struct filch__ready *r)
{
	struct filch__ready *seen = load_rlx(&b->newest); /* the CAS re-checks */

	do
		r->next = seen;
	/* S3 release: pairs with the acquire in filch__inbox_turn(); carries what waits,
	 * and the list behind it. */
	while (!cas_rel(&b->newest, &seen, r));
}

static inline bool filch__inbox_empty(struct filch__inbox *b)
{
	return !load_rlx(&b->newest) && !load_rlx(&b->more); /* a look only */
}

/* Makes all that is new the list to take from, oldest first. */
static inline void filch__inbox_turn(struct filch__inbox *b)
{
	struct filch__ready *r = load_rlx(&b->newest); /* the CAS re-checks */

	/* S3 acquire: pairs with the release in filch__inbox_put(); carries what waits. */
	while (r && !cas_acq_rel(&b->newest, &r, NULL))
		;
	while (r) {
		struct filch__ready *older = r->next;

		r->next = b->oldest;
		b->oldest = r;
		r = older;
	}
}

/* Takes up to `most` of what is there, oldest first, as a list. NULL if there is nothing,
 * or if somebody else is taking: that one calls another worker if there is more. */
static inline struct filch__ready *filch__inbox_take(struct filch__inbox *b, size_t most)
{
	struct filch__ready *first, **end = &first;
	uint32_t no = 0;

	/* S9 acquire: pairs with the release below in filch__inbox_take(); carries the
	 * list. */
	if (!cas_acq_rel(&b->taken, &no, 1))
		return NULL;
	for (first = NULL; most; most--) {
		if (!b->oldest)
			filch__inbox_turn(b);
		if (!b->oldest)
			break;
		*end = b->oldest;
		end = &b->oldest->next;
		b->oldest = b->oldest->next;
	}
	*end = NULL;
	store_rlx(&b->more, b->oldest != NULL); /* a look only */
	/* S9 release: pairs with the acquire above in filch__inbox_take(); carries the
	 * list. */
	store_rel(&b->taken, 0);
	return first;
}

#endif
