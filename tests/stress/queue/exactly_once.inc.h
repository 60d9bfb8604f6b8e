/* SPDX-License-Identifier: MIT */
/* Included by exactly_once.c once for every kind of queue. */
#include "queue/select.h"

struct QUEUE_ID(thief_arg) {
	QUEUE *q;
	uint64_t seed;
	struct tally tally;
};

static void *QUEUE_ID(thief_main)(void *p)
{
	struct QUEUE_ID(thief_arg) *a = p;
	struct filch__random rnd = filch__random_seed(a->seed);
	QUEUE_THIEF t = QUEUE_FN(thief)(a->q, a->seed);
	filch_entry got[100];
	int quiet = 0;

	/* Until the owner is done and nothing was found a few times. */
	while (quiet < 3) {
		size_t n = 0;
		enum filch_result r;

		if (filch__random_below(&rnd, 4)) {
			r = QUEUE_FN(steal)(&t, got);
			n = r == FILCH_OK;
		} else {
			r = QUEUE_FN(steal_batch)(&t, got,
			                          1 + filch__random_below(&rnd, 100), &n);
		}
		for (size_t i = 0; i < n; i++)
			note(&a->tally, got[i]);
		if (r == FILCH_EMPTY) {
			if (load_acq(&owner_done))
				quiet++;
			sched_yield();
		}
		if (filch__random_below(&rnd, 64) == 0)
			sched_yield();
	}
	return NULL;
}

static struct tally QUEUE_ID(owner_main)(QUEUE *q, size_t items, uint64_t seed)
{
	struct filch__random rnd = filch__random_seed(seed);
	QUEUE_OWNER o = QUEUE_FN(owner)(q);
	struct tally got = {0, 0};
	filch_entry next = 0, e;

	while (next < items) {
		size_t puts = 1 + filch__random_below(&rnd, 200);
		size_t gets = filch__random_below(&rnd, 220);

		while (puts-- && next < items && QUEUE_FN(put)(o, next) == FILCH_OK)
			next++;
		while (gets-- && QUEUE_FN(get)(o, &e) == FILCH_OK)
			note(&got, e);
		if (filch__random_below(&rnd, 16) == 0)
			sched_yield();
	}
	while (QUEUE_FN(get)(o, &e) == FILCH_OK)
		note(&got, e);
	store_rel(&owner_done, 1);
	return got;
}

static void QUEUE_ID(once)(const struct filch_queue_options *o, int thieves, size_t items,
                           uint64_t seed)
{
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);
	struct QUEUE_ID(thief_arg) arg[THIEVES_MOST];
	pthread_t thread[THIEVES_MOST];
	struct tally all;

	assert_int_equal(QUEUE_FN(init)(q, o), 0);
	for (size_t i = 0; i <= items / 64; i++)
		store_rlx(&seen[i], 0);
	store_rlx(&owner_done, 0);
	for (int i = 0; i < thieves; i++) {
		arg[i] = (struct QUEUE_ID(thief_arg)){q, seed + 1 + (uint64_t)i, {0, 0}};
		assert_int_equal(
			pthread_create(&thread[i], NULL, QUEUE_ID(thief_main), &arg[i]),
			0);
	}
	all = QUEUE_ID(owner_main)(q, items, seed);
	for (int i = 0; i < thieves; i++) {
		pthread_join(thread[i], NULL);
		all.count += arg[i].tally.count;
		all.sum += arg[i].tally.sum;
	}
	assert_int_equal(all.count, items);
	assert_int_equal(all.sum, items * (items - 1) / 2);
	for (size_t i = 0; i < items; i++)
		assert_true(load_rlx(&seen[i / 64]) >> (i & 63) & 1);
	QUEUE_FN(destroy)(q);
	free(q);
}

static void QUEUE_ID(exactly_once)(void **state)
{
	static const size_t size[] = {1, 2, 8, 64};
	static const int thieves[] = {1, 2, 8};
	size_t items = test_scaled(300000);
	uint64_t seed = test_seed();

	(void)state;
	seen = calloc(items / 64 + 1, sizeof *seen);
	for (size_t i = 0; i < 4 * 3 * 4; i++) {
		struct filch_queue_options o = {size[i % 4], i / 12 % 2 ? 4 : 2,
		                                i / 12 % 2,
		                                i / 24 ? UINT64_MAX - 100 : 0};

		QUEUE_ID(once)(&o, thieves[i / 4 % 3], items, seed + i);
	}
	free((void *)seen);
}
