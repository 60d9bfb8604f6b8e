/* SPDX-License-Identifier: MIT */
/*
 * The order of a BWoS queue's blocks: a ring of block pointers indexed by level. The ring
 * can grow, and a block that a stalled thief still reads is replaced by another one.
 *
 * Blocks and rings are freed only with the queue, so a thief may follow an old pointer:
 * the block that it finds there refuses it. See src/queue/README.md, "The order".
 */
#ifndef FILCH_QUEUE_ORDER_H
#define FILCH_QUEUE_ORDER_H

#include "queue/block.h"

struct filch__ring {
	uint64_t mask;
	struct filch__ring *older; /* outgrown, kept for thieves that still look there */
	_Atomic(struct filch__block *) slot[]; /* owner writes, thieves read */
};

struct filch__order {
	_Atomic(struct filch__ring *) ring; /* owner writes, thieves read */
	/* Used by the owner alone. */
	struct filch__block *aside; /* replaced; each returns when it is idle */
	struct filch__block *all;
	uint32_t block_size;
	bool fixed;
	uint64_t start; /* first tag of a new block */
};

/* `o` must be resolved. Errors: -ENOMEM; then there is nothing to destroy. */
int filch__order_init(struct filch__order *order, const struct filch_queue_options *o);
void filch__order_destroy(struct filch__order *order);

/* Returns the block at `level`, ready to be written from its first entry on: HELD, with no
 * thief in it. The block that is now in the slot must be HELD or drained. Returns NULL if
 * it needs memory and there is none. */
struct filch__block *filch__order_fresh(struct filch__order *order, uint64_t level);

/* Doubles the ring, and keeps the blocks of the levels up to `high`. Returns false if there
 * is no memory. */
bool filch__order_grow(struct filch__order *order, uint64_t high);

/* Moves a block to a level. The owner also closes gaps with it. */
void filch__order_set(struct filch__order *order, uint64_t level, struct filch__block *b);

static inline uint64_t filch__order_slots(struct filch__order *order)
{
	return load_rlx(&order->ring)->mask + 1; /* owner wrote it */
}

/* The owner's view of a slot; NULL if it has not been used since the ring grew. */
static inline struct filch__block *filch__order_at(struct filch__order *order,
                                                   uint64_t level)
{
	struct filch__ring *r = load_rlx(&order->ring); /* owner wrote it */

	return load_rlx(&r->slot[level & r->mask]); /* owner wrote it */
}

static inline struct filch__ring *filch__order_ring(struct filch__order *order)
{
	/* B4 acquire: pairs with the release in filch__order_grow(); carries the new
	 * ring. */
	return load_acq(&order->ring);
}

/* A thief's view of a slot: may be NULL, or a block that has been moved since. */
static inline struct filch__block *filch__ring_find(struct filch__ring *r, uint64_t level)
{
	/* B3 acquire: pairs with the release in filch__order_set(); carries a new
	 * block. */
	return load_acq(&r->slot[level & r->mask]);
}

/* Returns true if the slot that `random` chooses has entries to steal: a sample of
 * size/capacity. */
bool filch__order_sample(struct filch__order *order, uint64_t random);

/* Estimates from at most 16 slots how many entries are granted and not reserved. The
 * number may be out of date when it is returned. */
size_t filch__order_granted(struct filch__order *order);

#endif
