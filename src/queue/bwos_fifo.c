/* SPDX-License-Identifier: MIT */
#include "queue/bwos_fifo.h"

/* Tells thieves where to look. `moves` is odd while blocks move. */
static void set_hints(struct filch_bwos_fifo *q, bool moving)
{
	store_rlx(&q->head_hint, q->head_level); /* hint */
	store_rlx(&q->tail_hint, q->tail_level); /* hint */
	q->moves_own = (q->moves_own | 1) + !moving;
	store_rlx(&q->moves, q->moves_own); /* hint */
}

static filch_entry *block_limit(struct filch_bwos_fifo *q, struct filch__block *b)
{
	return b->entry + q->order.block_size;
}

static uint32_t index_of(const struct filch__block *b, const filch_entry *p)
{
	return (uint32_t)(p - b->entry);
}

int filch_bwos_fifo_init(struct filch_bwos_fifo *q,
                         const struct filch_queue_options *options)
{
	struct filch_queue_options o;
	int err = filch_queue_options_resolve(&o, options, NULL);

	if (!err)
		err = filch__order_init(&q->order, &o);
	if (err)
		return err;
	q->head_level = q->tail_level = o.start;
	q->head = q->tail = filch__order_fresh(
		&q->order, o.start); /* the block is there: cannot fail */
	q->front = q->back = q->head->entry;
	q->front_end = block_limit(q, q->head);
	q->cursor = 0;
	q->head_shared_at = o.start;
	atomic_init(&q->put_limit, (uintptr_t)q->front_end);
	atomic_init(&q->get_limit, (uintptr_t)q->front_end);
	atomic_init(&q->head_hint, q->head_level);
	atomic_init(&q->tail_hint, q->tail_level);
	q->moves_own = 0;
	atomic_init(&q->moves, 0);
	return 0;
}

void filch_bwos_fifo_destroy(struct filch_bwos_fifo *q)
{
	filch__order_destroy(&q->order);
}

/* ---- the owner ---- */

/* Asks the owner's next operation to grant entries to thieves. */
static void poke(struct filch_bwos_fifo *q)
{
	/* Relaxed: a poke carries nothing but itself, and no poke is lost, since the
	 * owner replaces these words only by exchange. */
	if (load_rlx(&q->put_limit) != 0)    /* hint; saves the store */
		store_rlx(&q->put_limit, 0); /* as above */
	if (load_rlx(&q->get_limit) != 0)    /* hint; saves the store */
		store_rlx(&q->get_limit, 0); /* as above */
}

/* Sets the limits that the fast paths compare with. Returns true if a thief has poked since
 * they were last set. */
static bool set_limits(struct filch_bwos_fifo *q)
{
	uintptr_t put_limit = (uintptr_t)block_limit(q, q->tail);
	uintptr_t get_limit = (uintptr_t)q->front_end;

	/* Relaxed, see poke(); by exchange, so that a poke is never overwritten
	 * unseen. */
	put_limit = xchg_rlx(&q->put_limit, put_limit); /* see poke() */
	get_limit = xchg_rlx(&q->get_limit, get_limit); /* see poke() */
	return put_limit == 0 || get_limit == 0;
}

/* Grants the entries of the tail block up to `end`. The tail must not be the head. */
static void grant_tail(struct filch_bwos_fifo *q, uint32_t end)
{
	if (q->tail->state == FILCH__OPEN)
		filch__block_extend(q->tail, end);
	else
		filch__block_grant(q->tail, FILCH__OPEN, 0, end);
}

/* Leaves a head block in which the owner has nothing left, if there is a block behind it:
 * takes back what thieves have left in the head, or else goes to the next block. Returns
 * false if neither is possible. */
static bool pass_head(struct filch_bwos_fifo *q)
{
	uint32_t from;

	if (q->head == q->tail || q->front != q->front_end)
		return false;
	if (q->head->state != FILCH__HELD) {
		uint32_t end = filch__block_end(q->head);

		from = filch__block_take(q->head);
		if (from != end) {
			q->front = q->head->entry + from;
			q->front_end = q->head->entry + end;
			return true;
		}
	}
	q->head = filch__order_at(&q->order, ++q->head_level);
	assert(q->head->state == FILCH__OPEN || q->head == q->tail);
	from = q->head->state == FILCH__HELD ? 0 : filch__block_take(q->head);
	q->front = q->head->entry + from;
	q->front_end = q->head == q->tail ? block_limit(q, q->head)
	                                  : q->head->entry + filch__block_end(q->head);
	set_hints(q, false);
	return true;
}

/* Closes the gaps between head and tail: the blocks from which thieves have taken
 * everything. */
static void close_up(struct filch_bwos_fifo *q)
{
	uint64_t to = q->head_level + 1;

	set_hints(q, true);
	for (uint64_t l = to; l != q->tail_level + 1; l++) {
		struct filch__block *b = filch__order_at(&q->order, l);

		if (b != q->tail && filch__block_drained(b))
			continue;
		if (l != to) {
			/* Swap the two, so that the drained block is behind the tail
			 * and can be used again. */
			filch__order_set(&q->order, l, filch__order_at(&q->order, to));
			filch__order_set(&q->order, to, b);
		}
		to++;
	}
	q->tail_level = to - 1;
	set_hints(q, false);
}

static uint64_t free_slots(struct filch_bwos_fifo *q)
{
	return filch__order_slots(&q->order) - (q->tail_level - q->head_level + 1);
}

/* Returns true if it finds a drained block between head and tail. Each call looks at a few
 * blocks only, so that a put to a full queue stays cheap however many blocks there are;
 * repeated calls look at all of them. */
static bool find_drained(struct filch_bwos_fifo *q)
{
	uint64_t between = q->tail_level - q->head_level - 1;

	assert(q->head != q->tail);
	for (uint64_t i = 0; i < between && i < 16; i++) {
		if (q->cursor >= between)
			q->cursor = 0;
		if (filch__block_drained(
			    filch__order_at(&q->order, q->head_level + 1 + q->cursor++)))
			return true;
	}
	return false;
}

/* Makes sure that the ring has a slot behind the tail. */
static bool make_room(struct filch_bwos_fifo *q)
{
	while (!free_slots(q) && pass_head(q))
		;
	if (free_slots(q))
		return true;
	if (!q->order.fixed || find_drained(q))
		close_up(q);
	/* Closing the gaps costs a walk over all blocks: grow unless it freed a quarter
	 * of them. */
	if (!q->order.fixed && free_slots(q) < filch__order_slots(&q->order) / 4 + 1)
		filch__order_grow(&q->order, q->tail_level);
	return free_slots(q) > 0;
}

/* Moves the head past a few blocks that thieves have emptied, so that thieves need not look
 * at them. It stops before a block that has entries left: entering that would take it from
 * thieves. */
static void skip_drained(struct filch_bwos_fifo *q)
{
	for (int i = 0; i < 4 && q->tail_level - q->head_level > 1; i++) {
		struct filch__block *next = filch__order_at(&q->order, q->head_level + 1);

		if (q->front != q->front_end || !filch__block_drained(next) ||
		    (q->head->state != FILCH__HELD && !filch__block_drained(q->head)))
			return;
		pass_head(q);
	}
}

/* Moves the back to a fresh block. The old tail is granted, unless it is also the head:
 * then its entries up to `back` stay with the owner. */
static bool advance_tail(struct filch_bwos_fifo *q)
{
	struct filch__block *b;

	if (!make_room(q))
		return false;
	b = filch__order_fresh(&q->order, q->tail_level + 1);
	if (!b)
		return false;
	if (q->head == q->tail)
		q->front_end = q->back;
	else
		grant_tail(q, index_of(q->tail, q->back));
	q->tail = b;
	q->tail_level++;
	q->back = b->entry;
	skip_drained(q);
	set_hints(q, false);
	return true;
}

/* Grants the entries of the tail that are not granted yet. Returns true if thieves can
 * steal from the tail. */
static bool share_tail(struct filch_bwos_fifo *q)
{
	uint32_t end = q->tail->state == FILCH__HELD ? 0 : filch__block_end(q->tail);

	if (q->tail == q->head)
		return false;
	if (index_of(q->tail, q->back) == end)
		return q->tail->state != FILCH__HELD && !filch__block_drained(q->tail);
	grant_tail(q, index_of(q->tail, q->back));
	return true;
}

/* Grants the newer half of the owner's part of the head. Returns false if thieves can steal
 * nothing from the head. */
static bool share_head(struct filch_bwos_fifo *q)
{
	filch_entry *end;

	if (q->head == q->tail && (q->front == q->back || !advance_tail(q)))
		return false;
	if (q->head->state != FILCH__HELD) {
		if (!filch__block_drained(q->head))
			return true;
		filch__block_take(q->head);
	}
	end = q->front_end;
	if (q->front == end)
		return false;
	q->front_end = q->front + (end - q->front) / 2;
	filch__block_grant(q->head, FILCH__OPEN, index_of(q->head, q->front_end),
	                   index_of(q->head, end));
	return true;
}

/* Grants entries to thieves. If there are none to grant, the poke stands, and the owner's
 * next operation is asked again. */
static void answer_poke(struct filch_bwos_fifo *q)
{
	bool shared = share_tail(q);

	/* Share the head as well, once per tail block: an owner that only puts would
	 * otherwise keep its oldest entries forever. */
	if (!shared || q->head_shared_at != q->tail_level) {
		shared |= share_head(q);
		q->head_shared_at = q->tail_level;
	}
	if (set_limits(q) || !shared)
		poke(q);
}

static void finish_slow(struct filch_bwos_fifo *q)
{
	if (set_limits(q))
		answer_poke(q);
}

FILCH_COLD enum filch_result filch__bwos_fifo_put_slow(struct filch_bwos_fifo *q,
                                                       filch_entry e)
{
	enum filch_result r = FILCH_OK;

	if (q->back == block_limit(q, q->tail) && !advance_tail(q))
		r = FILCH_FULL;
	else
		*q->back++ = e;
	finish_slow(q);
	return r;
}

/* Leaves half of the head to thieves if they have been stealing from it, so that they need
 * not poke at once. */
static void leave_half(struct filch_bwos_fifo *q)
{
	struct filch__block *b = q->head;
	uint32_t front = index_of(b, q->front), end = index_of(b, q->front_end);
	uint32_t mid = front + (end - front) / 2;

	if (b == q->tail || front == b->from || mid == front)
		return;
	q->front_end = b->entry + mid;
	filch__block_grant(b, FILCH__OPEN, mid, end);
}

FILCH_COLD struct filch__got filch__bwos_fifo_get_slow(struct filch_bwos_fifo *q)
{
	struct filch__got got = {FILCH_OK, 0};
	struct filch__block *head = q->head;
	bool passed = false;

	while (pass_head(q))
		passed = true;
	if (q->front == q->back) {
		/* The queue is empty. Start the block over if no thief is in it. */
		if (q->front != q->head->entry && filch__block_idle(q->head)) {
			q->front = q->back = q->head->entry;
			filch__block_recall(q->head);
		}
		if (passed && set_limits(q))
			poke(q);
		return (struct filch__got){FILCH_EMPTY, 0};
	}
	if (q->head != head)
		leave_half(q);
	got.entry = *q->front++;
	finish_slow(q);
	return got;
}

/* ---- a thief ---- */

/* Tries to reserve entries of one block. Returns EMPTY if there are none. */
static enum filch_result reserve_in(struct filch__block *b, size_t want,
                                    struct filch__claim *c)
{
	struct filch__block_look l = filch__block_look(b);

	if (!l.left)
		return FILCH_EMPTY;
	return filch__block_reserve(b, l, want, c) ? FILCH_OK : FILCH_RETRY;
}

/* Stays with the block that this thief last stole from. When nothing is left in it, the
 * thief looks at all blocks from head to tail, beginning at a random one: so thieves spread
 * out, and do not keep just ahead of an owner that takes one block after the other from
 * them. */
enum filch_result filch__bwos_fifo_reserve(struct filch_bwos_fifo_thief *t, size_t want,
                                           struct filch__claim *c)
{
	struct filch_bwos_fifo *q = t->q;
	enum filch_result r = t->block ? reserve_in(t->block, want, c) : FILCH_EMPTY;
	struct filch__ring *ring;
	uint64_t moves, head, span, at;

	if (r != FILCH_EMPTY)
		return r;
	ring = filch__order_ring(&q->order);
	moves = load_rlx(&q->moves);           /* hint */
	head = load_rlx(&q->head_hint);        /* hint */
	span = load_rlx(&q->tail_hint) - head; /* hint; bounded below */
	if (span > ring->mask)
		span = ring->mask;
	at = filch__random_below(&t->random, span + 1);
	for (uint64_t i = 0; i <= span; i++, at = at < span ? at + 1 : 0) {
		struct filch__block *b = filch__ring_find(ring, head + at);

		r = b ? reserve_in(b, want, c) : FILCH_EMPTY;
		if (r != FILCH_EMPTY) {
			t->block = b;
			return r;
		}
	}
	/* If blocks have moved meanwhile, this search may have missed one. */
	if (moves & 1 || load_rlx(&q->moves) != moves) /* hint; late: a poke stands */
		return FILCH_RETRY;
	poke(q);
	return FILCH_EMPTY;
}

enum filch_result filch_bwos_fifo_steal(struct filch_bwos_fifo_thief *t, filch_entry *e)
{
	struct filch__claim c;
	size_t n;

	return filch__steal_finish(filch__bwos_fifo_reserve(t, 1, &c), &c, e, &n);
}

enum filch_result filch_bwos_fifo_steal_batch(struct filch_bwos_fifo_thief *t,
                                              filch_entry *out, size_t max, size_t *n)
{
	struct filch__claim c;
	enum filch_result r = max ? filch__bwos_fifo_reserve(t, max, &c) : FILCH_EMPTY;

	return filch__steal_finish(r, &c, out, n);
}
