/* SPDX-License-Identifier: MIT */
/*
 * The upper bound: a plain LIFO stack and a plain FIFO ring for one thread, with the
 * owner's half of the queue interface. Nobody can steal from them. Written as fast as we
 * know how: positions are pointers where that saves an instruction.
 */
#ifndef FILCH_BENCH_SEAM_IDEAL_H
#define FILCH_BENCH_SEAM_IDEAL_H

#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "queue/queue.h"

struct filch_ideal_lifo {
	alignas(FILCH_LINE) filch_entry *pos;
	filch_entry *first, *limit;
};

struct filch_ideal_lifo_owner {
	struct filch_ideal_lifo *q;
};

static inline int filch_ideal_lifo_init(struct filch_ideal_lifo *q,
                                        const struct filch_queue_options *o)
{
	q->first = q->pos =
		aligned_alloc(FILCH_LINE, o->block_size * o->blocks * sizeof *q->pos);
	if (!q->first)
		return -ENOMEM;
	q->limit = q->first + o->block_size * o->blocks;
	return 0;
}

static inline void filch_ideal_lifo_destroy(struct filch_ideal_lifo *q)
{
	free(q->first);
}

static inline struct filch_ideal_lifo_owner filch_ideal_lifo_owner(
	struct filch_ideal_lifo *q)
{
	return (struct filch_ideal_lifo_owner){q};
}

static inline enum filch_result filch_ideal_lifo_put(struct filch_ideal_lifo_owner o,
                                                     filch_entry e)
{
	filch_entry *p = o.q->pos;

	if (FILCH_UNLIKELY(p == o.q->limit))
		return FILCH_FULL;
	*p = e;
	o.q->pos = p + 1;
	return FILCH_OK;
}

static inline enum filch_result filch_ideal_lifo_get(struct filch_ideal_lifo_owner o,
                                                     filch_entry *e)
{
	filch_entry *p = o.q->pos;

	if (FILCH_UNLIKELY(p == o.q->first))
		return FILCH_EMPTY;
	*e = *--p;
	o.q->pos = p;
	return FILCH_OK;
}

struct filch_ideal_fifo {
	alignas(FILCH_LINE) filch_entry *head, *tail;
	filch_entry *first, *limit; /* one entry stays free, to tell full from empty */
};

struct filch_ideal_fifo_owner {
	struct filch_ideal_fifo *q;
};

static inline int filch_ideal_fifo_init(struct filch_ideal_fifo *q,
                                        const struct filch_queue_options *o)
{
	size_t n = o->block_size * o->blocks + 8;

	q->first = q->head = q->tail = aligned_alloc(FILCH_LINE, n * sizeof *q->first);
	if (!q->first)
		return -ENOMEM;
	q->limit = q->first + o->block_size * o->blocks + 1;
	return 0;
}

static inline void filch_ideal_fifo_destroy(struct filch_ideal_fifo *q)
{
	free(q->first);
}

static inline struct filch_ideal_fifo_owner filch_ideal_fifo_owner(
	struct filch_ideal_fifo *q)
{
	return (struct filch_ideal_fifo_owner){q};
}

static inline enum filch_result filch_ideal_fifo_put(struct filch_ideal_fifo_owner o,
                                                     filch_entry e)
{
	filch_entry *t = o.q->tail, *next = t + 1;

	if (FILCH_UNLIKELY(next == o.q->limit))
		next = o.q->first;
	if (FILCH_UNLIKELY(next == o.q->head))
		return FILCH_FULL;
	*t = e;
	o.q->tail = next;
	return FILCH_OK;
}

static inline enum filch_result filch_ideal_fifo_get(struct filch_ideal_fifo_owner o,
                                                     filch_entry *e)
{
	filch_entry *h = o.q->head, *next = h + 1;

	if (FILCH_UNLIKELY(h == o.q->tail))
		return FILCH_EMPTY;
	*e = *h;
	if (FILCH_UNLIKELY(next == o.q->limit))
		next = o.q->first;
	o.q->head = next;
	return FILCH_OK;
}

#endif
