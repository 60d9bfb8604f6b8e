/* SPDX-License-Identifier: MIT */
/* Included by memory.c once for every kind of queue. */
#include "queue/select.h"

/* Leaks are left to the asan build, which runs this too. */
static void QUEUE_ID(init_refused)(void **state)
{
	struct filch_queue_options o = {4, 4, false, 0};
	QUEUE q;
	int err = -ENOMEM;

	(void)state;
	for (long n = 0; err; n++) {
		refuse_after(n, false);
		err = QUEUE_FN(init)(&q, &o);
		assert_true(err == 0 || err == -ENOMEM);
		assert_true(n < 20);
	}
	refuse_none();
	QUEUE_FN(destroy)(&q);
}

static void QUEUE_ID(growth_refused)(void **state)
{
	struct filch_queue_options o = {4, 2, false, 0};

	(void)state;
	for (long n = 0; n < 12; n++) {
		uint64_t put = 0, got = 0, put_sum = 0, got_sum = 0;
		size_t full = 0;
		QUEUE_OWNER owner;
		QUEUE_THIEF thief;
		filch_entry e;
		QUEUE q;

		assert_int_equal(QUEUE_FN(init)(&q, &o), 0);
		owner = QUEUE_FN(owner)(&q);
		thief = QUEUE_FN(thief)(&q, 1);
		for (filch_entry i = 0; i < 2000; i++) {
			/* Refuse the n-th call, later everything for a while, then for
			 * good. */
			if (i == 10)
				refuse_after(n, false);
			else if (i >= 100)
				refuse_after(i >= 500 || i / 10 % 2 ? 0 : NEVER, true);
			if (QUEUE_FN(put)(owner, i) == FILCH_OK) {
				put++;
				put_sum += i;
			} else {
				full++;
			}
			if (i % 7 == 0 && QUEUE_FN(steal)(&thief, &e) == FILCH_OK) {
				got++;
				got_sum += e;
			}
			if (i % 13 == 0 && QUEUE_FN(get)(owner, &e) == FILCH_OK) {
				got++;
				got_sum += e;
			}
		}
		refuse_none();
		while (QUEUE_FN(get)(owner, &e) == FILCH_OK) {
			got++;
			got_sum += e;
		}
		assert_int_equal(put, got);
		assert_int_equal(put_sum, got_sum);
		assert_true(full > 0);
		assert_int_equal(QUEUE_FN(put)(owner, 1), FILCH_OK);
		QUEUE_FN(destroy)(&q);
	}
}
