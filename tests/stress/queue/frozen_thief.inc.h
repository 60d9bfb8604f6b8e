/* SPDX-License-Identifier: MIT */
/* Included by frozen_thief.c once for every kind of queue with blocks. */
#include "queue/select.h"

#define RESERVE FILCH__PASTE3(filch__, FILCH_QUEUE, _reserve)

static size_t QUEUE_ID(count_blocks)(QUEUE *q)
{
	size_t n = 0;

	for (struct filch__block *b = q->order.all; b; b = b->next_all)
		n++;
	return n;
}

/* Puts until a thief can reserve `want` entries, and leaves them reserved. */
static struct filch__claim QUEUE_ID(freeze)(QUEUE *q, size_t want, filch_entry *next)
{
	QUEUE_THIEF t = QUEUE_FN(thief)(q, 7);
	struct filch__claim c;

	while (RESERVE(&t, want, &c) != FILCH_OK)
		assert_int_equal(QUEUE_FN(put)(QUEUE_FN(owner)(q), (*next)++), FILCH_OK);
	return c;
}

static void QUEUE_ID(freeze_and_go_on)(const struct filch_queue_options *o)
{
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);
	QUEUE_OWNER owner = QUEUE_FN(owner)(q);
	const size_t capacity = o->block_size * o->blocks;
	const size_t items = test_scaled(1000000);
	filch_entry next = 0, e, frozen[2][64];
	uint64_t sum = 0, got = 0;
	struct filch__claim a, b;
	size_t blocks;

	assert_int_equal(QUEUE_FN(init)(q, o), 0);
	a = QUEUE_ID(freeze)(q, 1, &next);
	while (next < items) {
		/* Fill and drain: each burst goes through all blocks of the ring. */
		for (size_t i = 0; i < capacity && next < items; i++) {
			enum filch_result r = QUEUE_FN(put)(owner, next);

			if (r == FILCH_FULL) {
				/* Full it may be, but then not empty as well. */
				assert_true(o->fixed && got < next - 1);
				break;
			}
			assert_int_equal(r, FILCH_OK);
			next++;
		}
		while (QUEUE_FN(get)(owner, &e) == FILCH_OK) {
			sum += e;
			got++;
		}
		assert_int_equal(got + a.count, next);
	}
	blocks = QUEUE_ID(count_blocks)(q);
	assert_true(blocks <= o->blocks + 1); /* one spare for one frozen thief */

	b = QUEUE_ID(freeze)(q, 2,
	                     &next); /* and a second one, before the first wakes up */
	filch__block_finish(&a, frozen[0]);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(QUEUE_FN(put)(owner, next++), FILCH_OK);
		while (QUEUE_FN(get)(owner, &e) == FILCH_OK) {
			sum += e;
			got++;
		}
	}
	filch__block_finish(&b, frozen[1]);
	for (uint32_t i = 0; i < a.count; i++)
		sum += frozen[0][i];
	for (uint32_t i = 0; i < b.count; i++)
		sum += frozen[1][i];
	assert_int_equal(got + a.count + b.count, next);
	assert_int_equal(sum, next * (next - 1) / 2);
	assert_true(QUEUE_ID(count_blocks)(q) <= o->blocks + 2);
	QUEUE_FN(destroy)(q);
	free(q);
}

static void QUEUE_ID(frozen)(void **state)
{
	static const size_t size[] = {1, 2, 8, 64};

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		struct filch_queue_options o = {size[i % 4], i % 2 ? 2 : 8, i / 4, 0};

		QUEUE_ID(freeze_and_go_on)(&o);
	}
}
#undef RESERVE
