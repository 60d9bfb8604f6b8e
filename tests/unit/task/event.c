/* SPDX-License-Identifier: MIT */
/* Event: set, reset, all at once, deadlines, cancelled; freed by who has waited. */
#include <filch/sync.h>

#include "tests/together.h"

static struct filch_pool *pool;

static int wait_for(void *e)
{
	return filch_event_wait(e);
}

static int wait_past(void *e)
{
	return filch_event_wait_until(e, 0);
}

static int wait_for_a_ms(void *e)
{
	return filch_event_wait_until(e, filch_after(FILCH_MS));
}

static void codes(void **state)
{
	struct filch_event e = FILCH_EVENT_INIT;

	(void)state;
	assert_false(filch_event_is_set(&e));
	for (int strand = 0; strand < 2; strand++) {
		struct filch_pool *p = strand ? pool : NULL;

		filch_event_reset(&e);
		assert_int_equal(result_on(p, wait_past, &e), -ETIMEDOUT);
		assert_int_equal(result_on(p, wait_for_a_ms, &e), -ETIMEDOUT);
		assert_int_equal(result_if_cancelled(pool, wait_for, &e, &e.waiters),
		                 -ECANCELED);
		filch_event_set(&e);
		filch_event_set(&e);
		assert_true(filch_event_is_set(&e));
		assert_int_equal(result_on(p, wait_for, &e), 0);
		assert_int_equal(result_on(p, wait_past, &e), 0);
	}
	all_right();
}

static void all_at_once(void **state)
{
	struct filch_event e = FILCH_EVENT_INIT;
	struct aside a[40];

	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 40; i++)
			aside_begin(&a[i], i % 3 ? pool : NULL, wait_for, &e);
		until_waiting(&e.waiters, 40);
		filch_event_set(&e);
		filch_event_reset(&e); /* those who waited were let go */
		for (unsigned i = 0; i < 40; i++)
			assert_int_equal(aside_end(&a[i]), 0);
	}
}

/* ---- to and fro ---- */

struct both {
	struct filch_event to, fro;
	unsigned count;
};

static void answer(void *arg, unsigned index)
{
	struct both *b = arg;

	for (unsigned i = 0; i < 400; i++) {
		struct filch_event *mine = index ? &b->to : &b->fro;

		if (index || i) {
			CHECK(filch_event_wait(mine) == 0);
			filch_event_reset(mine);
		}
		CHECK(b->count++ == 2 * i + index);
		filch_event_set(index ? &b->fro : &b->to);
	}
}

static void to_and_fro(void **state)
{
	struct both b = {.count = 0};

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool *p = pool_of(workers);

		for (unsigned threads = 0; threads <= 2; threads++) {
			b = (struct both){.count = 0};
			together_on(p, 2 - threads, threads, answer, &b);
			assert_int_equal(b.count, 800);
		}
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	all_right();
}

/* ---- who has waited frees it ---- */

FILCH_STATIC_TASK_VOID(sets, (struct filch_event *, e))
{
	filch_event_set(e);
}

FILCH_STATIC_TASK_VOID(frees, (struct filch_group *, g))
{
	struct filch_event *e = calloc(1, sizeof *e);

	FILCH_GROUP_SPAWN(g, sets, e);
	CHECK(filch_event_wait(e) == 0);
	free(e);
}

FILCH_STATIC_TASK_VOID(free_many)
{
	struct filch_group g;

	filch_group_begin(&g);
	for (unsigned i = 0; i < 500; i++)
		FILCH_GROUP_SPAWN(&g, frees, &g);
	filch_group_wait(&g);
}

static void freed_by_the_waiter(void **state)
{
	(void)state;
	FILCH_RUN_ON(pool, free_many);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(all_at_once),
		cmocka_unit_test(to_and_fro),
		cmocka_unit_test(freed_by_the_waiter),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
