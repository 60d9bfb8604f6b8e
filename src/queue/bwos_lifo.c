/* SPDX-License-Identifier: MIT */
#include "queue/bwos_lifo.h"

int filch_bwos_lifo_init(struct filch_bwos_lifo *q,
                         const struct filch_queue_options *options)
{
	struct filch_queue_options o;
	int err = filch_queue_options_resolve(&o, options, NULL);

	if (!err)
		err = filch__order_init(&q->order, &o);
	if (err)
		return err;
	q->level = o.start;
	q->block = filch__order_fresh(&q->order,
	                              q->level); /* the block is there: cannot fail */
	q->pos = q->floor_own = q->block->entry;
	atomic_init(&q->limit, (uintptr_t)(q->block->entry + o.block_size));
	atomic_init(&q->floor, (uintptr_t)q->block->entry);
	atomic_init(&q->bottom, q->level);
	return 0;
}

void filch_bwos_lifo_destroy(struct filch_bwos_lifo *q)
{
	filch__order_destroy(&q->order);
}

/* ---- the owner ---- */

static filch_entry *block_limit(struct filch_bwos_lifo *q)
{
	return q->block->entry + q->order.block_size;
}

static uint32_t index_of(struct filch_bwos_lifo *q, const filch_entry *p)
{
	return (uint32_t)(p - q->block->entry);
}

/* Asks the owner's next operation to grant entries to thieves. */
static void poke(struct filch_bwos_lifo *q)
{
	/* Relaxed: a poke carries nothing but itself, and no poke is lost, since the
	 * owner replaces these words only by exchange. */
	if (load_rlx(&q->limit) != 0)              /* hint; saves the store */
		store_rlx(&q->limit, 0);           /* as above */
	if (load_rlx(&q->floor) != UINTPTR_MAX)    /* hint; saves the store */
		store_rlx(&q->floor, UINTPTR_MAX); /* as above */
}

/* Sets the limits that the fast paths compare with. Returns true if a thief has poked since
 * they were last set. */
static bool set_limits(struct filch_bwos_lifo *q)
{
	/* Relaxed, see poke(); by exchange, so that a poke is never overwritten
	 * unseen. */
	uintptr_t limit = xchg_rlx(&q->limit, (uintptr_t)block_limit(q)); /* see poke() */
	uintptr_t floor = xchg_rlx(&q->floor, (uintptr_t)q->floor_own);   /* see poke() */

	return limit == 0 || floor == UINTPTR_MAX;
}

/* Grants the owner's entries of the current block up to `end`; there is at least one. */
static void grant_up_to(struct filch_bwos_lifo *q, uint32_t end)
{
	if (q->block->state == FILCH__OPEN)
		filch__block_extend(q->block, end);
	else
		filch__block_grant(q->block, FILCH__OPEN, index_of(q, q->floor_own), end);
	q->floor_own = q->block->entry + end;
}

/* Grants the older half of the owner's entries in its block. If there are none, the poke
 * stands, and the owner's next operation is asked again. */
static void answer_poke(struct filch_bwos_lifo *q)
{
	size_t n = (size_t)(q->pos - q->floor_own);

	if (n > 0)
		grant_up_to(q, index_of(q, q->floor_own) + (uint32_t)(n + 1) / 2);
	if (n == 0 || set_limits(q))
		poke(q);
}

void filch_bwos_lifo_share(struct filch_bwos_lifo_owner o)
{
	if (o.q->pos != o.q->floor_own)
		grant_up_to(o.q, index_of(o.q, o.q->pos));
	set_limits(o.q); /* the grant has answered a poke, or there is nothing to grant */
}

static void finish_slow(struct filch_bwos_lifo *q)
{
	if (set_limits(q))
		answer_poke(q);
}

/* Tells thieves that every level below `level` is drained. */
static void raise_bottom(struct filch_bwos_lifo *q, uint64_t level)
{
	uint64_t b = load_rlx(&q->bottom); /* hint; the CAS re-checks */

	while ((int64_t)(level - b) > 0 &&
	       !cas_rlx(&q->bottom, &b, level)) /* a hint only */
		;
}

/* Returns the block at level + 1, ready for use, or NULL if the queue is full. */
static struct filch__block *block_above(struct filch_bwos_lifo *q)
{
	struct filch__order *order = &q->order;
	uint64_t up = q->level + 1;
	struct filch__block *b = filch__order_at(order, up);

	if (b && b->state == FILCH__CLOSED) {
		/* The ring has wrapped around: this is the block of an old level. */
		if (filch__block_drained(b))
			raise_bottom(q, up - filch__order_slots(order) + 1);
		else if (order->fixed || !filch__order_grow(order, q->level))
			return NULL;
	}
	return filch__order_fresh(order, up);
}

/* Grants the current block, which is full, and moves to the one above. */
static bool advance(struct filch_bwos_lifo *q)
{
	struct filch__block *above = block_above(q);
	uint32_t from;

	if (!above)
		return false;
	from = q->block->state == FILCH__HELD ? index_of(q, q->floor_own)
	                                      : filch__block_take(q->block);
	filch__block_grant(q->block, FILCH__CLOSED, from, q->order.block_size);
	q->block = above;
	q->level++;
	q->pos = q->floor_own = above->entry;
	return true;
}

FILCH_COLD enum filch_result filch__bwos_lifo_put_slow(struct filch_bwos_lifo *q,
                                                       filch_entry e)
{
	enum filch_result r = FILCH_OK;

	if (q->pos == block_limit(q) && !advance(q))
		r = FILCH_FULL;
	else
		*q->pos++ = e;
	finish_slow(q);
	return r;
}

/* Makes entries [from, end) of the current block the owner's again. If thieves have been
 * stealing from the block, half of them is left to thieves, which then need not poke at
 * once. */
static void regain(struct filch_bwos_lifo *q, uint32_t from, uint32_t end)
{
	uint32_t first = from;

	if (from != q->block->from && end - from > 1) {
		first += (end - from) / 2;
		filch__block_grant(q->block, FILCH__OPEN, from, first);
	}
	q->floor_own = q->block->entry + first;
	q->pos = q->block->entry + end;
}

static bool regain_own(struct filch_bwos_lifo *q)
{
	uint32_t from;

	if (q->block->state == FILCH__HELD)
		return false;
	from = filch__block_take(q->block);
	if (from == filch__block_end(q->block))
		return false;
	regain(q, from, filch__block_end(q->block));
	return true;
}

/* Returns the block below if thieves have left entries in it, or NULL. */
static struct filch__block *block_below(struct filch_bwos_lifo *q)
{
	struct filch__block *b = filch__order_at(&q->order, q->level - 1);

	if (!b || load_rlx(&b->level) != q->level - 1 || /* owner wrote it */
	    b->state != FILCH__CLOSED || filch__block_drained(b))
		return NULL;
	return b;
}

bool filch_bwos_lifo_is_empty(struct filch_bwos_lifo_owner o)
{
	struct filch_bwos_lifo *q = o.q;

	return q->pos == q->floor_own &&
	       (q->block->state == FILCH__HELD || filch__block_drained(q->block)) &&
	       !block_below(q);
}

static bool regain_below(struct filch_bwos_lifo *q)
{
	struct filch__block *b = block_below(q);
	uint32_t from, end;

	if (!b)
		return false;
	end = filch__block_end(b);
	from = filch__block_take(b);
	if (from == end) {
		/* Thieves took the last entry first: leave the block drained, as they
		 * expect it. */
		filch__block_grant(b, FILCH__CLOSED, end, end);
		return false;
	}
	q->block = b;
	q->level--;
	regain(q, from, end);
	return true;
}

FILCH_COLD struct filch__got filch__bwos_lifo_get_slow(struct filch_bwos_lifo *q)
{
	struct filch__got got = {FILCH_OK, 0};

	if (q->pos == q->floor_own && !regain_own(q) && !regain_below(q)) {
		/* The queue is empty. Start the block over if no thief is in it. floor
		 * may stay as it is: if it is too high, the next get takes the slow path,
		 * and that is all. */
		if (q->pos != q->block->entry && filch__block_idle(q->block)) {
			q->pos = q->floor_own = q->block->entry;
			filch__block_recall(q->block);
		}
		return (struct filch__got){FILCH_EMPTY, 0};
	}
	got.entry = *--q->pos;
	finish_slow(q);
	return got;
}

/* Starts the block over if thieves have taken all of it. Returns true if it has room. */
static bool make_room(struct filch_bwos_lifo *q)
{
	struct filch__got got = filch__bwos_lifo_get_slow(q);

	if (got.result == FILCH_OK)
		*q->pos++ = got.entry; /* some were left: undo */
	return q->pos != block_limit(q);
}

enum filch_result filch_bwos_lifo_try_put(struct filch_bwos_lifo_owner o, filch_entry e)
{
	struct filch_bwos_lifo *q = o.q;

	if (q->pos == block_limit(q) && (q->pos != q->floor_own || !make_room(q)))
		return FILCH_FULL;
	*q->pos++ = e;
	return FILCH_OK;
}

/* ---- a thief ---- */

enum filch_result filch__bwos_lifo_reserve(struct filch_bwos_lifo_thief *t, size_t want,
                                           struct filch__claim *c)
{
	struct filch_bwos_lifo *q = t->q;
	/* Relaxed: a drained level stays drained, so that an old value only makes the
	 * search longer. */
	uint64_t level = load_rlx(&q->bottom); /* hint, see above */

	for (;;) {
		struct filch__block *b =
			filch__ring_find(filch__order_ring(&q->order), level);
		struct filch__block_look l;
		uint64_t seen = level;

		if (!b)
			return FILCH_RETRY; /* an old level; bottom has risen */
		l = filch__block_look(b);
		if (filch__block_level(b) != level)
			return FILCH_RETRY;
		if (l.left)
			return filch__block_reserve(b, l, want, c) ? FILCH_OK
			                                           : FILCH_RETRY;
		if (l.state != FILCH__CLOSED) {
			/* If bottom has changed, the block may be held for its next
			 * level, rather than be the one in which the owner works. */
			if (load_rlx(&q->bottom) != level) /* hint; late: a poke stands */
				return FILCH_RETRY;
			poke(q);
			return FILCH_EMPTY;
		}
		if (!filch__block_drained_for_good(b, l))
			return FILCH_RETRY;
		/* Go up, and save the next thief this step. */
		cas_rlx(&q->bottom, &seen, level + 1); /* a hint only */
		level++;
	}
}

enum filch_result filch_bwos_lifo_steal(struct filch_bwos_lifo_thief *t, filch_entry *e)
{
	struct filch__claim c;
	size_t n;

	return filch__steal_finish(filch__bwos_lifo_reserve(t, 1, &c), &c, e, &n);
}

enum filch_result filch_bwos_lifo_steal_batch(struct filch_bwos_lifo_thief *t,
                                              filch_entry *out, size_t max, size_t *n)
{
	struct filch__claim c;
	enum filch_result r = max ? filch__bwos_lifo_reserve(t, max, &c) : FILCH_EMPTY;

	return filch__steal_finish(r, &c, out, n);
}
