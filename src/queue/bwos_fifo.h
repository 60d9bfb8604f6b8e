/* SPDX-License-Identifier: MIT */
/*
 * BWoS FIFO: the owner puts at the back and gets from the front, thieves steal from any
 * block that was granted (Wang et al., OSDI'23, sections 3 and 4). Filch adds a private
 * block at the back, so that a put needs no release; the demand grant by poke; growth;
 * closing the gaps that stolen blocks leave; and blocks that are set aside for a stalled
 * thief. See src/queue/README.md, "The FIFO queue".
 *
 * The owner gets from [front, front_end) of the head block and puts at `back` of the tail
 * block. Fast paths compare with `put_limit` and `get_limit`, which equal the end of the
 * tail block and front_end unless a thief has poked: then a comparison fails, and the slow
 * path sees the poke.
 */
#ifndef FILCH_QUEUE_BWOS_FIFO_H
#define FILCH_QUEUE_BWOS_FIFO_H

#include "base/random.h"
#include "queue/order.h"

struct filch_bwos_fifo {
	/* Used by the owner alone. */
	alignas(FILCH_LINE) filch_entry *front; /* next entry to get */
	filch_entry *back;                      /* where the next put goes */
	filch_entry *front_end; /* end of the owner's part of the head block */
	struct filch__block *head, *tail;
	uint64_t head_level, tail_level;
	uint64_t head_shared_at; /* tail_level when the head was last shared */
	uint64_t moves_own;      /* the owner's copy of moves */
	uint64_t cursor;         /* where the search for a drained block resumes */

	/* Written by the owner's slow paths; read by its fast paths. A thief pokes by
	 * writing 0 to both. */
	alignas(FILCH_LINE) _Atomic(uintptr_t) put_limit; /* put is slow at or above it */
	_Atomic(uintptr_t) get_limit;                     /* get is slow at or above it */

	/* Written by the owner when it changes blocks; they tell thieves where to
	 * look. */
	alignas(FILCH_LINE) _Atomic(uint64_t) head_hint;
	_Atomic(uint64_t) tail_hint;
	_Atomic(uint64_t) moves; /* changes with the two; odd while blocks move */

	alignas(FILCH_LINE) struct filch__order order;
};

struct filch_bwos_fifo_owner {
	struct filch_bwos_fifo *q;
};

struct filch_bwos_fifo_thief {
	struct filch_bwos_fifo *q;
	struct filch__block *block; /* the one last stolen from; NULL at first */
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
 * filch__block_finish() copies out. The owner does not wait for a thief between the
 * two. */
enum filch_result filch__bwos_fifo_reserve(struct filch_bwos_fifo_thief *t, size_t want,
                                           struct filch__claim *c);

enum filch_result filch_bwos_fifo_steal(struct filch_bwos_fifo_thief *t, filch_entry *e);

/* Takes entries of one block, in the order in which they were put. */
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
