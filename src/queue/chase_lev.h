/* SPDX-License-Identifier: MIT */
/*
 * The growing circular deque of Chase and Lev (SPAA 2005) with the orderings of Lê et al.
 * (PPoPP 2013), written with sequentially consistent accesses where they use fences (on
 * x86, both are one locked instruction). The owner caches the `top` that it last saw, so
 * that a put does not touch the line that thieves write. See src/queue/README.md, "The
 * yardsticks".
 */
#ifndef FILCH_QUEUE_CHASE_LEV_H
#define FILCH_QUEUE_CHASE_LEV_H

#include <stdalign.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/random.h"
#include "queue/queue.h"

struct filch__cl_array {
	int64_t mask;
	struct filch__cl_array *older; /* outgrown, kept for thieves that still read it */
	_Atomic(filch_entry) entry[];
};

struct filch_chase_lev {
	alignas(FILCH_LINE) _Atomic(int64_t) bottom; /* owner writes, thieves read */
	_Atomic(struct filch__cl_array *) array;     /* owner writes, thieves read */
	int64_t top_seen;                            /* used by the owner; at most top */
	bool fixed;

	alignas(FILCH_LINE) _Atomic(int64_t)
		top; /* thieves write it, and the owner for the last entry */
};

struct filch_chase_lev_owner {
	struct filch_chase_lev *q;
};

struct filch_chase_lev_thief {
	struct filch_chase_lev *q;
	struct filch__random random;
};

int filch_chase_lev_init(struct filch_chase_lev *q, const struct filch_queue_options *o);
void filch_chase_lev_destroy(struct filch_chase_lev *q);

static inline struct filch_chase_lev_owner filch_chase_lev_owner(
	struct filch_chase_lev *q)
{
	return (struct filch_chase_lev_owner){q};
}

static inline struct filch_chase_lev_thief filch_chase_lev_thief(
	struct filch_chase_lev *q, uint64_t seed)
{
	return (struct filch_chase_lev_thief){q, filch__random_seed(seed)};
}

enum filch_result filch__chase_lev_put_slow(struct filch_chase_lev *q, filch_entry e);

/* The difference of two positions, which are 64 bits wide and may wrap around. */
static inline int64_t filch__cl_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline enum filch_result filch_chase_lev_put(struct filch_chase_lev_owner o,
                                                    filch_entry e)
{
	struct filch_chase_lev *q = o.q;
	int64_t b = load_rlx(&q->bottom);                /* owner-only */
	struct filch__cl_array *a = load_rlx(&q->array); /* owner-only */

	if (FILCH_UNLIKELY(filch__cl_minus(b, q->top_seen) > a->mask))
		return filch__chase_lev_put_slow(q, e);
	store_rlx(&a->entry[b & a->mask], e); /* published by bottom */
	/* C1 release: pairs with the acquire in steal; carries the entry and its
	 * array. */
	store_rel(&q->bottom, filch__cl_minus(b, -1));
	return FILCH_OK;
}

static inline enum filch_result filch_chase_lev_get(struct filch_chase_lev_owner o,
                                                    filch_entry *e)
{
	struct filch_chase_lev *q = o.q;
	int64_t b = filch__cl_minus(load_rlx(&q->bottom), 1); /* owner-only */
	struct filch__cl_array *a = load_rlx(&q->array);      /* owner-only */
	enum filch_result r = FILCH_OK;
	int64_t t, left;

	/* C3 seq_cst: store-buffering pair with steal's loads of top and bottom;
	 * forbidden: the owner misses a thief's top while that thief misses this
	 * bottom. */
	store_sc(&q->bottom, b);
	t = load_sc(&q->top); /* C3 seq_cst: the other half of the pair */
	left = filch__cl_minus(b, t);
	if (FILCH_LIKELY(left > 0)) {
		*e = load_rlx(&a->entry[b & a->mask]); /* owner wrote it */
		return FILCH_OK;
	}
	if (left < 0) {
		r = FILCH_EMPTY;
	} else {
		*e = load_rlx(&a->entry[b & a->mask]); /* owner wrote it */
		/* C5 release: decides which thread takes the last entry; pairs with the
		 * acquire in steal and carries the lowered bottom: a thief that sees this
		 * top must not find an entry above it that is gone. */
		if (!cas_rel(&q->top, &t, filch__cl_minus(t, -1)))
			r = FILCH_EMPTY;
	}
	store_rlx(&q->bottom, filch__cl_minus(b, -1)); /* as before; publishes nothing */
	return r;
}

enum filch_result filch_chase_lev_steal(struct filch_chase_lev_thief *t, filch_entry *e);

/* Steals one entry at a time, up to half of the queue. A single compare-and-swap cannot
 * take several, because the owner takes all entries but the last without one. */
enum filch_result filch_chase_lev_steal_batch(struct filch_chase_lev_thief *t,
                                              filch_entry *out, size_t max, size_t *n);

size_t filch_chase_lev_size_hint(struct filch_chase_lev *q);
bool filch_chase_lev_sample(struct filch_chase_lev_thief *t);

#endif
