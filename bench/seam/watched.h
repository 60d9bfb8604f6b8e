/* SPDX-License-Identifier: MIT */
/*
 * What moving entries from one core to another costs before any queue is involved: the
 * ideal LIFO stack, and a "thief" that only reads its entries and takes nothing. Its
 * owner pays for lines that the other core has read, and for nothing else.
 */
#ifndef FILCH_BENCH_SEAM_WATCHED_H
#define FILCH_BENCH_SEAM_WATCHED_H

#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "queue/queue.h"

struct filch_watched_lifo {
	alignas(FILCH_LINE) _Atomic(filch_entry) *pos;           /* the owner's */
	alignas(FILCH_LINE) _Atomic(filch_entry) *first, *limit; /* constant */
};

struct filch_watched_lifo_owner {
	struct filch_watched_lifo *q;
};

struct filch_watched_lifo_thief {
	struct filch_watched_lifo *q;
	_Atomic(filch_entry) *next;
};

static inline int filch_watched_lifo_init(struct filch_watched_lifo *q,
                                          const struct filch_queue_options *o)
{
	size_t n = o->block_size * o->blocks;

	q->first = q->pos = aligned_alloc(FILCH_LINE, n * sizeof *q->first);
	if (!q->first)
		return -ENOMEM;
	q->limit = q->first + n;
	for (size_t i = 0; i < n; i++)
		atomic_init(&q->first[i], 0);
	return 0;
}

static inline void filch_watched_lifo_destroy(struct filch_watched_lifo *q)
{
	free(q->first);
}

static inline struct filch_watched_lifo_owner filch_watched_lifo_owner(
	struct filch_watched_lifo *q)
{
	return (struct filch_watched_lifo_owner){q};
}

static inline struct filch_watched_lifo_thief filch_watched_lifo_thief(
	struct filch_watched_lifo *q, uint64_t seed)
{
	(void)seed;
	return (struct filch_watched_lifo_thief){q, q->first};
}

static inline enum filch_result filch_watched_lifo_put(struct filch_watched_lifo_owner o,
                                                       filch_entry e)
{
	_Atomic(filch_entry) *p = o.q->pos;

	if (FILCH_UNLIKELY(p == o.q->limit))
		return FILCH_FULL;
	store_rlx(p, e); /* nothing is promised to the reader */
	o.q->pos = p + 1;
	return FILCH_OK;
}

static inline enum filch_result filch_watched_lifo_get(struct filch_watched_lifo_owner o,
                                                       filch_entry *e)
{
	_Atomic(filch_entry) *p = o.q->pos;

	if (FILCH_UNLIKELY(p == o.q->first))
		return FILCH_EMPTY;
	*e = load_rlx(--p); /* owner wrote it */
	o.q->pos = p;
	return FILCH_OK;
}

static inline enum filch_result filch_watched_lifo_steal_batch(
	struct filch_watched_lifo_thief *t, filch_entry *out, size_t max, size_t *n)
{
	for (*n = 0; *n < max; ++*n) {
		out[*n] = load_rlx(t->next); /* whatever is there */
		t->next = t->next + 1 == t->q->limit ? t->q->first : t->next + 1;
	}
	return FILCH_OK;
}

static inline enum filch_result filch_watched_lifo_steal(
	struct filch_watched_lifo_thief *t, filch_entry *e)
{
	size_t n;

	return filch_watched_lifo_steal_batch(t, e, 1, &n);
}

#endif
