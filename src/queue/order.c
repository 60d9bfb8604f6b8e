/* SPDX-License-Identifier: MIT */
#include "queue/order.h"

#include <errno.h>
#include <stdlib.h>

static void *alloc_lines(size_t size)
{
	return aligned_alloc(FILCH_LINE,
	                     (size + FILCH_LINE - 1) / FILCH_LINE * FILCH_LINE);
}

static struct filch__ring *ring_new(uint64_t slots, struct filch__ring *older)
{
	struct filch__ring *r = alloc_lines(sizeof *r + slots * sizeof r->slot[0]);

	if (!r)
		return NULL;
	r->mask = slots - 1;
	r->older = older;
	for (uint64_t i = 0; i < slots; i++)
		atomic_init(&r->slot[i], NULL);
	return r;
}

static struct filch__block *block_new(struct filch__order *order)
{
	struct filch__block *b =
		alloc_lines(sizeof *b + order->block_size * sizeof b->entry[0]);

	if (!b)
		return NULL;
	b->tag = order->start;
	b->state = FILCH__HELD;
	b->size = order->block_size;
	b->from = 0;
	b->claimed = (uint32_t)order->start;
	b->read_lo = UINT32_MAX;
	b->read_hi = 0;
	atomic_init(&b->word, filch__word(b->tag, FILCH__HELD, 0));
	atomic_init(&b->level, 0);
	atomic_init(&b->done, b->claimed);
	atomic_init(&b->end, 0);
	b->next_aside = NULL;
	b->next_all = order->all;
	order->all = b;
	return b;
}

int filch__order_init(struct filch__order *order, const struct filch_queue_options *o)
{
	struct filch__ring *r = ring_new(o->blocks, NULL);

	if (!r)
		return -ENOMEM;
	order->aside = NULL;
	order->all = NULL;
	order->block_size = (uint32_t)o->block_size;
	order->fixed = o->fixed;
	order->start = o->start;
	atomic_init(&order->ring, r);
	for (uint64_t i = 0; i < o->blocks; i++) {
		struct filch__block *b = block_new(order);

		if (!b) {
			filch__order_destroy(order);
			return -ENOMEM;
		}
		atomic_init(&r->slot[i], b);
	}
	return 0;
}

void filch__order_destroy(struct filch__order *order)
{
	struct filch__ring *r = load_rlx(&order->ring); /* no other user */

	while (r) {
		struct filch__ring *older = r->older;

		free(r);
		r = older;
	}
	while (order->all) {
		struct filch__block *b = order->all;

		order->all = b->next_all;
		free(b);
	}
}

/* Returns a block that no thief reads: one that was set aside and is idle, or a new one. */
static struct filch__block *spare(struct filch__order *order)
{
	for (struct filch__block **p = &order->aside; *p; p = &(*p)->next_aside) {
		struct filch__block *b = *p;

		if (filch__block_idle(b)) {
			*p = b->next_aside;
			return b;
		}
	}
	return block_new(order);
}

void filch__order_set(struct filch__order *order, uint64_t level, struct filch__block *b)
{
	struct filch__ring *r = load_rlx(&order->ring); /* owner wrote it */

	/* B3 release: pairs with the acquire in filch__ring_find(); carries a new
	 * block. */
	store_rel(&r->slot[level & r->mask], b);
}

struct filch__block *filch__order_fresh(struct filch__order *order, uint64_t level)
{
	struct filch__block *b = filch__order_at(order, level);

	if (b && b->state != FILCH__HELD) {
		assert(filch__block_drained(b));
		filch__block_take(b);
	}
	if (!b || !filch__block_idle(b)) {
		struct filch__block *other = spare(order);

		if (!other)
			return NULL;
		if (b) {
			b->next_aside = order->aside;
			order->aside = b;
		}
		b = other;
	}
	filch__block_recall(b);
	/* B6 release: pairs with the acquire in filch__block_level(); carries the
	 * takeover above. */
	store_rel(&b->level, level);
	filch__order_set(order, level, b);
	return b;
}

bool filch__order_grow(struct filch__order *order, uint64_t high)
{
	struct filch__ring *old = load_rlx(&order->ring); /* owner wrote it */
	uint64_t slots = old->mask + 1;
	struct filch__ring *r = ring_new(slots * 2, old);

	if (!r)
		return false;
	for (uint64_t l = high - old->mask; l != high + 1; l++) {
		struct filch__block *b = filch__order_at(order, l);

		store_rlx(&r->slot[l & r->mask], b); /* published by the ring */
	}
	/* B4 release: pairs with the acquire in filch__order_ring(); carries the slots,
	 * and the blocks that they point to. */
	store_rel(&order->ring, r);
	return true;
}

bool filch__order_sample(struct filch__order *order, uint64_t random)
{
	struct filch__ring *r = filch__order_ring(order);
	struct filch__block *b = filch__ring_find(r, random);

	return b && filch__block_look(b).left;
}

size_t filch__order_granted(struct filch__order *order)
{
	const uint64_t most = 16;
	struct filch__ring *r = filch__order_ring(order);
	uint64_t slots = r->mask + 1, step = slots <= most ? 1 : slots / most;
	size_t n = 0;

	for (uint64_t i = 0; i < slots; i += step) {
		struct filch__block *b = filch__ring_find(r, i);

		if (b)
			n += filch__block_look(b).left;
	}
	return n * step;
}
