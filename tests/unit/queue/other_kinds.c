/* SPDX-License-Identifier: MIT */
/* Behaviour of Chase-Lev, ABP, locked or runq alone; model.c tests that of all kinds. */
#include "tests/test.h"

#include "queue/abp.h"
#include "queue/chase_lev.h"
#include "queue/locked.h"
#include "queue/runq.h"

static const struct filch_queue_options eight = {4, 2, false, 0};
static const struct filch_queue_options fixed_eight = {4, 2, true, 0};

static void chase_lev_grows(void **state)
{
	struct filch_chase_lev q;
	struct filch_chase_lev_owner o = filch_chase_lev_owner(&q);
	struct filch_chase_lev_thief t = filch_chase_lev_thief(&q, 1);
	filch_entry e;

	(void)state;
	assert_int_equal(filch_chase_lev_init(&q, &eight), 0);
	for (filch_entry i = 0; i < 1000; i++) {
		assert_int_equal(filch_chase_lev_put(o, i), FILCH_OK);
		if (i % 4 == 0) {
			assert_int_equal(filch_chase_lev_steal(&t, &e), FILCH_OK);
			assert_int_equal(e, i / 4);
		}
	}
	for (filch_entry i = 1000; i-- > 250;) {
		assert_int_equal(filch_chase_lev_get(o, &e), FILCH_OK);
		assert_int_equal(e, i);
	}
	assert_int_equal(filch_chase_lev_get(o, &e), FILCH_EMPTY);
	filch_chase_lev_destroy(&q);
}

static void chase_lev_fixed_is_full(void **state)
{
	struct filch_chase_lev q;
	struct filch_chase_lev_owner o = filch_chase_lev_owner(&q);
	struct filch_chase_lev_thief t = filch_chase_lev_thief(&q, 1);
	filch_entry e;

	(void)state;
	assert_int_equal(filch_chase_lev_init(&q, &fixed_eight), 0);
	for (filch_entry i = 0; i < 8; i++)
		assert_int_equal(filch_chase_lev_put(o, i), FILCH_OK);
	assert_int_equal(filch_chase_lev_put(o, 8), FILCH_FULL);
	assert_int_equal(filch_chase_lev_steal(&t, &e), FILCH_OK);
	assert_int_equal(filch_chase_lev_put(o, 8), FILCH_OK);
	filch_chase_lev_destroy(&q);
}

/* ABP's known weakness (EMPER's analysis, figure 2.7): stolen room returns only when the
 * owner finds the deque empty. */
static void abp_starts_over_when_empty(void **state)
{
	struct filch_abp q;
	struct filch_abp_owner o = filch_abp_owner(&q);
	struct filch_abp_thief t = filch_abp_thief(&q, 1);
	uint64_t tag;
	filch_entry e;

	(void)state;
	assert_int_equal(filch_abp_init(&q, &eight), 0);
	tag = load_rlx(&q.age) >> 32;
	for (filch_entry i = 0; i < 8; i++)
		assert_int_equal(filch_abp_put(o, i), FILCH_OK);
	for (filch_entry i = 0; i < 8; i++)
		assert_int_equal(filch_abp_steal(&t, &e), FILCH_OK);
	assert_int_equal(filch_abp_put(o, 8), FILCH_FULL); /* empty, and yet no room */
	assert_int_equal(filch_abp_get(o, &e), FILCH_EMPTY);
	assert_int_equal(load_rlx(&q.age) >> 32, tag + 1);
	assert_int_equal(filch_abp_put(o, 8), FILCH_OK);
	assert_int_equal(filch_abp_get(o, &e),
	                 FILCH_OK); /* the last one: another start */
	assert_int_equal(e, 8);
	assert_int_equal(load_rlx(&q.age) >> 32, tag + 2);
	filch_abp_destroy(&q);
}

static void runq_steals_half(void **state)
{
	struct filch_runq q;
	struct filch_runq_owner o = filch_runq_owner(&q);
	struct filch_runq_thief t = filch_runq_thief(&q, 1);
	filch_entry got[8];
	size_t n;

	(void)state;
	assert_int_equal(filch_runq_init(&q, &eight), 0);
	for (filch_entry i = 0; i < 7; i++)
		assert_int_equal(filch_runq_put(o, i), FILCH_OK);
	assert_int_equal(filch_runq_steal_batch(&t, got, 8, &n), FILCH_OK);
	assert_int_equal(n, 4);
	assert_int_equal(got[3], 3);
	assert_int_equal(filch_runq_steal_batch(&t, got, 1, &n), FILCH_OK);
	assert_int_equal(n, 1);
	assert_int_equal(filch_runq_size_hint(&q), 2);
	filch_runq_destroy(&q);
}

static void runq_is_bounded(void **state)
{
	struct filch_runq q;
	struct filch_runq_owner o = filch_runq_owner(&q);
	filch_entry e;

	(void)state;
	assert_int_equal(filch_runq_init(&q, &eight), 0);
	for (filch_entry i = 0; i < 8; i++)
		assert_int_equal(filch_runq_put(o, i), FILCH_OK);
	assert_int_equal(filch_runq_put(o, 8), FILCH_FULL);
	assert_int_equal(filch_runq_get(o, &e), FILCH_OK);
	assert_int_equal(e, 0);
	assert_int_equal(filch_runq_put(o, 8), FILCH_OK);
	filch_runq_destroy(&q);
}

static void locked_grows(void **state)
{
	struct filch_locked q;
	struct filch_locked_owner o = filch_locked_owner(&q);
	struct filch_locked_thief t = filch_locked_thief(&q, 1);
	filch_entry e;

	(void)state;
	assert_int_equal(filch_locked_init(&q, &eight), 0);
	for (filch_entry i = 0; i < 100; i++)
		assert_int_equal(filch_locked_put(o, i), FILCH_OK);
	assert_int_equal(filch_locked_size_hint(&q), 100);
	assert_int_equal(filch_locked_steal(&t, &e), FILCH_OK);
	assert_int_equal(e, 0);
	assert_int_equal(filch_locked_get(o, &e), FILCH_OK);
	assert_int_equal(e, 99);
	filch_locked_destroy(&q);
}

/* sample() is true in about size/capacity of the cases, for every kind. */
#define SAMPLE(kind)                                                                   \
	static void sample_##kind(void **state)                                        \
	{                                                                              \
		struct filch_queue_options opt = {64, 8, true, 0};                     \
		struct filch_##kind q;                                                 \
		struct filch_##kind##_owner o = filch_##kind##_owner(&q);              \
		struct filch_##kind##_thief t = filch_##kind##_thief(&q, test_seed()); \
		int hits = 0;                                                          \
                                                                                       \
		(void)state;                                                           \
		assert_int_equal(filch_##kind##_init(&q, &opt), 0);                    \
		for (int i = 0; i < 1000; i++)                                         \
			assert_false(filch_##kind##_sample(&t));                       \
		for (filch_entry i = 0; i < 256; i++)                                  \
			filch_##kind##_put(o, i);                                      \
		for (int i = 0; i < 10000; i++)                                        \
			hits += filch_##kind##_sample(&t);                             \
		assert_in_range(hits, 2000, 6000); /* BWoS: without the owner's */     \
		filch_##kind##_destroy(&q);                                            \
	}
#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"
#define EACH(kind, order, text) SAMPLE(kind)
FILCH_QUEUE_KINDS(EACH)
#undef EACH

int main(void)
{
#define EACH(kind, order, text) cmocka_unit_test(sample_##kind),
	const struct CMUnitTest tests[] = {cmocka_unit_test(chase_lev_grows),
	                                   cmocka_unit_test(chase_lev_fixed_is_full),
	                                   cmocka_unit_test(abp_starts_over_when_empty),
	                                   cmocka_unit_test(runq_steals_half),
	                                   cmocka_unit_test(runq_is_bounded),
	                                   cmocka_unit_test(locked_grows),
	                                   FILCH_QUEUE_KINDS(EACH)};
#undef EACH

	return cmocka_run_group_tests(tests, NULL, NULL);
}
