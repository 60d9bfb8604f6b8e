/* SPDX-License-Identifier: MIT */
/*
 * BWoS FIFO: the owner puts at the back and gets from the front, thieves steal from any
 * block that was granted (Wang et al., OSDI'23, section 3-4). Ours are: a private back
 * block, so that put needs no release; demand grant by poke; growth; closing up over
 * stolen blocks; blocks set aside for a stalled thief. See src/queue/README.md, "The FIFO
 * queue".
 *
 * The owner gets from [front, front_end) of the head block and puts at `back` of the tail
 * block. Fast paths compare with `put_limit` and `get_limit`, which equal the end of the
 * tail block and front_end unless a thief has poked: then one comparison fails and the
 * slow path sees why.
 */
#ifndef FILCH_QUEUE_BWOS_FIFO_H
#define FILCH_QUEUE_BWOS_FIFO_H

#include "base/random.h"
#include "queue/order.h"

struct filch_bwos_fifo {
	/* The owner's own. */
	alignas(FILCH_LINE) filch_entry *front; /* next to get */
	filch_entry *back;                      /* next to put */
	filch_entry *front_end; /* end of the owner's part of the head block */
	struct filch__block *head, *tail;
	uint64_t head_level, tail_level;
	uint64_t head_shared_at; /* tail level at which the head was last shared */
	uint64_t moves_own;      /* the owner's copy of moves */
	uint64_t cursor;         /* where the search for a drained block goes on */

	/* Set by the owner's slow paths, poked by thieves, read by the owner's fast
	 * paths. */
	alignas(FILCH_LINE) _Atomic(uintptr_t)
		put_limit;            /* put is slow from here; poked: 0 */
	_Atomic(uintptr_t) get_limit; /* get is slow from here; poked: 0 */

	/* Written by the owner at block ends, read by thieves: where to look. */
	alignas(FILCH_LINE) _Atomic(uint64_t) head_hint;
	_Atomic(uint64_t) tail_hint;
	_Atomic(uint64_t) moves; /* changes with them; odd while blocks change places */

	alignas(FILCH_LINE) struct filch__order order;
};

struct filch_bwos_fifo_owner {
	struct filch_bwos_fifo *q;
};

struct filch_bwos_fifo_thief {
	struct filch_bwos_fifo *q;
	struct filch__block *block; /* last stolen from; NULL at first */
	struct filch__random random;
};

int filch_bwos_fifo_init(struct filch_bwos_fifo *q, const struct filch_queue_options *o);
void filch_bwos_fifo_destroy(struct filch_bwos_fifo *q);

static inline struct filch_bwos_fifo_owner filch_bwos_fifo_owner(
	struct filch_bwos_fifo *q)
{
	return (struct filch_bwos_fifo_owner){q};
}

static inline struct filch_bwos_fifo_thief filch_bwos_fifo_thief(
	struct filch_bwos_fifo *q, uint64_t seed)
{
	return (struct filch_bwos_fifo_thief){q, NULL, filch__random_seed(seed)};
}

enum filch_result filch__bwos_fifo_put_slow(struct filch_bwos_fifo *q, filch_entry e);
struct filch__got filch__bwos_fifo_get_slow(struct filch_bwos_fifo *q);

static inline enum filch_result filch_bwos_fifo_put(struct filch_bwos_fifo_owner o,
                                                    filch_entry e)
{
	filch_entry *p = o.q->back;

	if (FILCH_UNLIKELY((uintptr_t)p >=
	                   load_rlx(&o.q->put_limit))) /* a poke may be late */
		return filch__bwos_fifo_put_slow(o.q, e);
	*p = e;
	o.q->back = p + 1;
	return FILCH_OK;
}

static inline enum filch_result filch_bwos_fifo_get(struct filch_bwos_fifo_owner o,
                                                    filch_entry *e)
{
	filch_entry *p = o.q->front;

	/* Blocks never touch, so front equals back only in the same block. */
	if (FILCH_UNLIKELY(p == o.q->back ||
	                   (uintptr_t)p >=
	                           load_rlx(&o.q->get_limit))) /* a poke may be late */
		return filch__got(filch__bwos_fifo_get_slow(o.q), e);
	*e = *p;
	o.q->front = p + 1;
	return FILCH_OK;
}

/* The first half of a steal: reserves up to `want` entries of one block, which
 * filch__block_finish() copies out. Between the two, the owner is not held up. */
enum filch_result filch__bwos_fifo_reserve(struct filch_bwos_fifo_thief *t, size_t want,
                                           struct filch__claim *c);

enum filch_result filch_bwos_fifo_steal(struct filch_bwos_fifo_thief *t, filch_entry *e);

/* Takes at most one block's worth, in the order in which the entries were put. */
enum filch_result filch_bwos_fifo_steal_batch(struct filch_bwos_fifo_thief *t,
                                              filch_entry *out, size_t max, size_t *n);

static inline bool filch_bwos_fifo_sample(struct filch_bwos_fifo_thief *t)
{
	return filch__order_sample(&t->q->order, filch__random_next(&t->random) >> 32);
}

static inline size_t filch_bwos_fifo_size_hint(struct filch_bwos_fifo *q)
{
	return filch__order_granted(&q->order);
}

#endif
