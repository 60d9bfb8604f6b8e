/* SPDX-License-Identifier: MIT */
/* Included by model.c once for every kind of queue. */
#include "queue/select.h"

/* One steal of up to `max`, checked against the model. */
static enum filch_result QUEUE_ID(model_steal)(QUEUE_THIEF *t, enum order order,
                                               size_t max)
{
	filch_entry got[64];
	size_t n = 0, first;
	enum filch_result r;

	if (max == 1) {
		r = QUEUE_FN(steal)(t, got);
		n = r == FILCH_OK;
	} else {
		r = QUEUE_FN(steal_batch)(t, got, max, &n);
	}
	if (r != FILCH_OK) {
		assert_int_equal(n, 0);
		assert_int_equal(r, FILCH_EMPTY); /* nobody to lose a race against */
		return r;
	}
	assert_in_range(n, 1, max);
	first = model_find(got[0]);
	if (order == LIFO)
		assert_int_equal(first, 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(model.item[first], got[i]); /* in order, without gaps */
		model_remove(first);
	}
	return r;
}

static enum filch_result QUEUE_ID(model_put)(QUEUE_OWNER owner,
                                             const struct filch_queue_options *o)
{
	enum filch_result r = QUEUE_FN(put)(owner, model.next);

	if (r == FILCH_OK) {
		model.item[model.n++] = model.next++;
	} else {
		assert_int_equal(r, FILCH_FULL);
		assert_true(o->fixed || !strcmp(QUEUE_NAME, "abp") ||
		            !strcmp(QUEUE_NAME, "runq"));
	}
	if (o->fixed)
		assert_true(model.n <= o->block_size * o->blocks);
	return r;
}

static void QUEUE_ID(model_get)(QUEUE_OWNER owner, enum order order)
{
	size_t want = order == LIFO ? model.n - 1 : 0;
	filch_entry e;
	enum filch_result r = QUEUE_FN(get)(owner, &e);

	assert_int_equal(r, model.n ? FILCH_OK : FILCH_EMPTY);
	if (r == FILCH_OK) {
		assert_int_equal(e, model.item[want]);
		model_remove(want);
	}
}

static void QUEUE_ID(run)(enum order order, const struct filch_queue_options *o,
                          uint64_t seed)
{
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);
	struct filch__random rnd = filch__random_seed(seed);
	uint64_t put_share = 50;
	filch_entry e;
	QUEUE_OWNER owner;
	QUEUE_THIEF thief;

	assert_int_equal(QUEUE_FN(init)(q, o), 0);
	owner = QUEUE_FN(owner)(q);
	thief = QUEUE_FN(thief)(q, seed);
	model.n = 0;
	for (int step = 0; step < STEPS; step++) {
		uint64_t what = filch__random_below(&rnd, 100);
		size_t max = filch__random_below(&rnd, 2)
		                     ? 1
		                     : filch__random_below(&rnd, 64) + 1;

		if (step % 64 == 0)
			put_share = filch__random_below(&rnd, 90);
		if (what < put_share && model.n < MOST - 1)
			QUEUE_ID(model_put)(owner, o);
		else if (what < 90)
			QUEUE_ID(model_get)(owner, order);
		else if (QUEUE_ID(model_steal)(&thief, order, max) == FILCH_EMPTY &&
		         model.n && QUEUE_ID(model_put)(owner, o) == FILCH_OK)
			/* The thief has asked, the owner has put: now there must be
			 * something. */
			assert_int_equal(QUEUE_ID(model_steal)(&thief, order, max),
			                 FILCH_OK);
		if (!model.n)
			assert_int_equal(QUEUE_FN(size_hint)(q), 0);
	}
	while (model.n)
		QUEUE_ID(model_get)(owner, order);
	QUEUE_ID(model_get)(owner, order);
	assert_int_equal(QUEUE_FN(steal)(&thief, &e), FILCH_EMPTY);
	QUEUE_FN(destroy)(q);
	free(q);
}

static void QUEUE_ID(reference)(void **state)
{
	static const size_t size[] = {1, 2, 8, 64}, blocks[] = {2, 4, 8};
	static const uint64_t start[] = {0, UINT64_MAX - 40};
	uint64_t seed = test_seed();
	bool fifo = !strcmp(QUEUE_NAME, "bwos_fifo") || !strcmp(QUEUE_NAME, "runq");

	(void)state;
	for (size_t i = 0; i < 4 * 3 * 2 * 2; i++) {
		struct filch_queue_options o = {size[i % 4], blocks[i / 4 % 3],
		                                i / 12 % 2, start[i / 24]};

		QUEUE_ID(run)(fifo ? FIFO : LIFO, &o, seed + i);
	}
}
