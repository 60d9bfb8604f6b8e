/* SPDX-License-Identifier: MIT */
/* Included by stalling_thieves.c once for every kind of queue with blocks. */
#include "queue/select.h"

#define RESERVE FILCH__PASTE3(filch__, FILCH_QUEUE, _reserve)

struct QUEUE_ID(arg) {
	QUEUE *q;
	uint64_t seed, count, sum;
};

static void *QUEUE_ID(stalling_thief)(void *p)
{
	struct QUEUE_ID(arg) *a = p;
	struct filch__random rnd = filch__random_seed(a->seed);
	QUEUE_THIEF t = QUEUE_FN(thief)(a->q, a->seed);
	filch_entry got[64];
	int quiet = 0;

	while (quiet < 3) {
		struct filch__claim c;

		if (RESERVE(&t, 1 + filch__random_below(&rnd, 3), &c) != FILCH_OK) {
			quiet += load_acq(&owner_done);
			sched_yield();
			continue;
		}
		for (uint64_t n = filch__random_below(&rnd, 50); n; n--)
			sched_yield();
		filch__block_finish(&c, got);
		a->count += c.count;
		for (uint32_t i = 0; i < c.count; i++)
			a->sum += got[i];
	}
	return NULL;
}

static void QUEUE_ID(stalling)(void **state)
{
	struct filch_queue_options o = {8, 8, true, 0};
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);
	struct filch__random rnd = filch__random_seed(test_seed());
	const size_t items = test_scaled(2000000);
	struct QUEUE_ID(arg) arg[THIEVES];
	pthread_t thread[THIEVES];
	uint64_t count = 0, sum = 0, blocks = 0;
	filch_entry next = 0, e;
	QUEUE_OWNER owner;

	(void)state;
	assert_int_equal(QUEUE_FN(init)(q, &o), 0);
	owner = QUEUE_FN(owner)(q);
	store_rlx(&owner_done, 0);
	for (int i = 0; i < THIEVES; i++) {
		arg[i] = (struct QUEUE_ID(arg)){q, test_seed() + (uint64_t)i, 0, 0};
		pthread_create(&thread[i], NULL, QUEUE_ID(stalling_thief), &arg[i]);
	}
	while (next < items) {
		size_t puts = filch__random_below(&rnd, 80),
		       gets = filch__random_below(&rnd, 80);

		while (puts-- && next < items && QUEUE_FN(put)(owner, next) == FILCH_OK)
			next++;
		for (; gets && QUEUE_FN(get)(owner, &e) == FILCH_OK; gets--) {
			count++;
			sum += e;
		}
		if (filch__random_below(&rnd, 8) == 0)
			sched_yield();
	}
	while (QUEUE_FN(get)(owner, &e) == FILCH_OK) {
		count++;
		sum += e;
	}
	store_rel(&owner_done, 1);
	for (int i = 0; i < THIEVES; i++) {
		pthread_join(thread[i], NULL);
		count += arg[i].count;
		sum += arg[i].sum;
	}
	assert_int_equal(count, items);
	assert_int_equal(sum, items * (items - 1) / 2);
	for (struct filch__block *b = q->order.all; b; b = b->next_all)
		blocks++;
	assert_in_range(blocks, o.blocks, o.blocks + THIEVES);
	QUEUE_FN(destroy)(q);
	free(q);
}
#undef RESERVE
