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

#include "base/atomic.h"

enum filch__ready_kind { FILCH__READY_STRAND, FILCH__READY_DEQUE, FILCH__READY_ROOT };

/* First in what it stands for. */
struct filch__ready {
	struct filch__ready *next; /* in the inbox; whoever holds it writes */
	enum filch__ready_kind kind;
};

struct filch__inbox {
	_Atomic(struct filch__ready *) newest;
};

static inline void filch__inbox_put(struct filch__inbox *b, struct filch__ready *r)
{
	struct filch__ready *seen = load_rlx(&b->newest); /* the CAS re-checks */

	do
		r->next = seen;
	/* S3 release: pairs with the acquire in filch__inbox_take(); carries what waits,
	 * and the list behind it. */
	while (!cas_rel(&b->newest, &seen, r));
}

/* Takes all there is, oldest first. */
static inline struct filch__ready *filch__inbox_take(struct filch__inbox *b)
{
	struct filch__ready *r = load_rlx(&b->newest), *first = NULL; /* a look only */

	/* S3 acquire: pairs with the release in filch__inbox_put(); carries what waits. */
	while (r && !cas_acq_rel(&b->newest, &r, NULL))
		;
	while (r) {
		struct filch__ready *older = r->next;

		r->next = first;
		first = r;
		r = older;
	}
	return first;
}

static inline bool filch__inbox_empty(struct filch__inbox *b)
{
	return !load_rlx(&b->newest); /* a look only */
}

#endif
