/* SPDX-License-Identifier: MIT */
/*
 * BWoS LIFO: the owner puts and gets at the top, thieves steal from the bottom, and they
 * meet only when a block changes hands (Wang et al., OSDI'23, sections 3 and 4). Filch
 * adds the demand grant by poke, growth, and blocks that are set aside for a stalled
 * thief. See src/queue/README.md, "The LIFO queue".
 *
 * The owner works in the block at `level`, in entries [floor_own, pos). Fast paths
 * compare pos with `limit` and `floor`, which equal the end of the block and floor_own
 * unless a thief has poked: then a comparison fails, and the slow path sees the poke.
 */
#ifndef FILCH_QUEUE_BWOS_LIFO_H
#define FILCH_QUEUE_BWOS_LIFO_H

#include "base/random.h"
#include "queue/order.h"

struct filch_bwos_lifo {
	/* Used by the owner alone. */
	alignas(FILCH_LINE) filch_entry *pos; /* next free entry of the current block */
	filch_entry *floor_own;               /* first entry that is not granted */
	struct filch__block *block;           /* the current block */
	uint64_t level;                       /* its place in the order */

	/* Written by the owner's slow paths; read by its fast paths. A thief pokes by
	 * writing 0 to limit and UINTPTR_MAX to floor. */
	alignas(FILCH_LINE) _Atomic(uintptr_t) limit; /* put is slow at or above it */
	_Atomic(uintptr_t) floor;                     /* get is slow at or below it */

	/* Written by thieves, and by the owner when the ring wraps around. */
	alignas(FILCH_LINE) _Atomic(uint64_t)
		bottom; /* every level below it is drained */

	alignas(FILCH_LINE) struct filch__order order;
};

struct filch_bwos_lifo_owner {
	struct filch_bwos_lifo *q;
};

struct filch_bwos_lifo_thief {
	struct filch_bwos_lifo *q;
	struct filch__random random;
};

int filch_bwos_lifo_init(struct filch_bwos_lifo *q, const struct filch_queue_options *o);
void filch_bwos_lifo_destroy(struct filch_bwos_lifo *q);

static inline struct filch_bwos_lifo_owner filch_bwos_lifo_owner(
	struct filch_bwos_lifo *q)
{
	return (struct filch_bwos_lifo_owner){q};
}

static inline struct filch_bwos_lifo_thief filch_bwos_lifo_thief(
	struct filch_bwos_lifo *q, uint64_t seed)
{
	return (struct filch_bwos_lifo_thief){q, filch__random_seed(seed)};
}

enum filch_result filch__bwos_lifo_put_slow(struct filch_bwos_lifo *q, filch_entry e);
struct filch__got filch__bwos_lifo_get_slow(struct filch_bwos_lifo *q);

static inline enum filch_result filch_bwos_lifo_put(struct filch_bwos_lifo_owner o,
                                                    filch_entry e)
{
	filch_entry *p = o.q->pos;

	if (FILCH_UNLIKELY((uintptr_t)p >=
	                   load_rlx(&o.q->limit))) /* a poke may be late */
		return filch__bwos_lifo_put_slow(o.q, e);
	*p = e;
	o.q->pos = p + 1;
	return FILCH_OK;
}

static inline enum filch_result filch_bwos_lifo_get(struct filch_bwos_lifo_owner o,
                                                    filch_entry *e)
{
	filch_entry *p = o.q->pos;

	if (FILCH_UNLIKELY((uintptr_t)p <=
	                   load_rlx(&o.q->floor))) /* a poke may be late */
		return filch__got(filch__bwos_lifo_get_slow(o.q), e);
	*e = *--p;
	o.q->pos = p;
	return FILCH_OK;
}

/* Puts without allocating memory, so that a signal handler of the owner's thread may call
 * it. Returns FULL when the current block has no room. */
enum filch_result filch_bwos_lifo_try_put(struct filch_bwos_lifo_owner o, filch_entry e);

/* Grants all entries that were put, so that thieves find all of them until the next put or
 * get. It allocates no memory. */
void filch_bwos_lifo_share(struct filch_bwos_lifo_owner o);

/* Returns true if a get would find nothing. When it returns false, thieves may still take
 * the last entries before that get. */
bool filch_bwos_lifo_is_empty(struct filch_bwos_lifo_owner o);

/* The first half of a steal: reserves up to `want` entries, which filch__block_finish()
 * copies out. The owner does not wait for a thief between the two. */
enum filch_result filch__bwos_lifo_reserve(struct filch_bwos_lifo_thief *t, size_t want,
                                           struct filch__claim *c);

enum filch_result filch_bwos_lifo_steal(struct filch_bwos_lifo_thief *t, filch_entry *e);

/* Takes entries of one block, in the order in which they were put. */
enum filch_result filch_bwos_lifo_steal_batch(struct filch_bwos_lifo_thief *t,
                                              filch_entry *out, size_t max, size_t *n);

static inline bool filch_bwos_lifo_sample(struct filch_bwos_lifo_thief *t)
{
	return filch__order_sample(&t->q->order, filch__random_next(&t->random) >> 32);
}

static inline size_t filch_bwos_lifo_size_hint(struct filch_bwos_lifo *q)
{
	return filch__order_granted(&q->order);
}

#endif
