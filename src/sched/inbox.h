/* SPDX-License-Identifier: MIT */
/*
 * The inbox of a pool: a list that never fills up. Threads that are no workers leave
 * there what is ready, and so do workers whose own set is full. See README.md,
 * "Finding work".
 */
#ifndef FILCH_SCHED_INBOX_H
#define FILCH_SCHED_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "strand/ready.h"

/* Any thread adds in front of `newest`. Workers take from `oldest`, one worker at a time;
 * when that is empty, the list of `newest` is reversed and becomes `oldest`. */
struct filch__inbox {
	_Atomic(struct filch__ready *) newest;
	_Atomic(uint32_t) taken;     /* 1: a worker is taking */
	struct filch__ready *oldest; /* only the worker that is taking uses it */
	_Atomic(uint32_t) more;      /* oldest is not NULL; any thread reads it */
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

/* Reverses the list of `newest`, so that it can be taken from, oldest first. */
static inline void filch__inbox_turn(struct filch__inbox *b)
{
	struct filch__ready *r = load_rlx(&b->newest); /* the CAS re-checks */

	/* S3 acquire: pairs with the release in filch__inbox_put(); carries what
	 * waits. */
	while (r && !cas_acq_rel(&b->newest, &r, NULL))
		;
	while (r) {
		struct filch__ready *older = r->next;

		r->next = b->oldest;
		b->oldest = r;
		r = older;
	}
}

/* Takes up to `most` entries, oldest first, as a list. Returns NULL if there is none, or
 * if another worker is taking, which then calls an idle worker if there are more. */
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
