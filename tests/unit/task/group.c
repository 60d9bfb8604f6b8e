/* SPDX-License-Identifier: MIT */
/* Groups: any number of tasks, tasks that spawn more, cancelling, groups within groups. */
#include <errno.h>
#include <filch.h>
#include <filch/sync.h>
#include <filch/time.h>

#include "base/atomic.h"
#include "tests/test.h"

static _Atomic(long) ran;

FILCH_STATIC_TASK_VOID(tick, (int, n))
{
	add_rlx(&ran, n); /* counted */
}

FILCH_STATIC_TASK(int, many, (int, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, tick, i);
	return filch_group_wait(&g);
}

static void test_many(void **state)
{
	(void)state;
	for (int n = 0; n <= 10000; n = n * 10 + 1) {
		store_rlx(&ran, 0); /* nobody else is there */
		assert_int_equal(FILCH_RUN(many, n), 0);
		assert_int_equal(load_rlx(&ran), (long)n * (n - 1) / 2); /* all done */
	}
}

/* A tree whose nodes spawn their children into the one group there is. */
FILCH_STATIC_TASK_VOID(tree, (struct filch_group *, g), (int, depth))
{
	add_rlx(&ran, 1); /* counted */
	for (int i = 0; i < 3 && depth > 0; i++)
		FILCH_GROUP_SPAWN(g, tree, g, depth - 1);
}

FILCH_STATIC_TASK(int, grow, (int, depth))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, tree, &g, depth);
	return filch_group_wait(&g);
}

static void test_tree(void **state)
{
	(void)state;
	store_rlx(&ran, 0); /* nobody else is there */
	assert_int_equal(FILCH_RUN(grow, 8), 0);
	assert_int_equal(load_rlx(&ran), 9841); /* all done */
}

FILCH_STATIC_TASK_VOID(cancel_at, (struct filch_group *, g), (int, n), (int, at))
{
	if (n == at)
		filch_group_cancel(g);
	if (!filch_cancelled())
		add_rlx(&ran, 1); /* counted */
}

FILCH_STATIC_TASK(int, cancelled, (int, n), (int, at))
{
	struct filch_group g;
	int refused = 0, r;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		refused += FILCH_GROUP_SPAWN(&g, cancel_at, &g, i, at) == -ECANCELED;
	r = filch_group_wait(&g);
	assert_true(r == -ECANCELED || refused == 0);
	return r;
}

static void test_cancel(void **state)
{
	(void)state;
	store_rlx(&ran, 0); /* nobody else is there */
	assert_int_equal(FILCH_RUN(cancelled, 100, 99), -ECANCELED);
	assert_true(load_rlx(&ran) < 100); /* all done */
	assert_int_equal(FILCH_RUN(cancelled, 100, -1), 0);
}

FILCH_STATIC_TASK(int, inner, (struct filch_group *, outer))
{
	struct filch_group g;

	filch_group_begin(&g);
	filch_group_cancel(outer);
	if (FILCH_GROUP_SPAWN(&g, tick, 1) != -ECANCELED)
		return 0;
	return filch_group_wait(&g);
}

FILCH_STATIC_TASK_VOID(within, (struct filch_group *, outer), (int *, result))
{
	*result = FILCH_CALL(inner, outer);
}

FILCH_STATIC_TASK(int, outer)
{
	struct filch_group g;
	int result = 0;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, within, &g, &result);
	filch_group_wait(&g);
	return result;
}

static void test_inherited(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(outer), -ECANCELED);
}

FILCH_STATIC_TASK(int, twice)
{
	struct filch_group g;
	int r = 0;

	for (int i = 0; i < 2; i++) {
		filch_group_begin(&g);
		FILCH_GROUP_SPAWN(&g, tick, 1);
		r |= filch_group_wait(&g);
	}
	return r;
}

static void test_again(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(twice), 0);
}

/* By a task of another pool: the tasks run there, and the last of them wakes who waits
 * here. */
FILCH_STATIC_TASK_VOID(late, (unsigned, n))
{
	filch_sleep(n % 3 * FILCH_MS);
	add_rlx(&ran, 1); /* counted */
}

FILCH_STATIC_TASK_VOID(far_away, (struct filch_group *, g), (unsigned, n))
{
	for (unsigned i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(g, late, i);
}

FILCH_STATIC_TASK(int, from_afar, (struct filch_pool *, other), (unsigned, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_RUN_ON(other, far_away, &g, n);
	return filch_group_wait(&g);
}

static void test_other_pool(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 1000; n *= 10) {
		struct filch_pool *other;

		assert_int_equal(filch_pool_create(&other, NULL, NULL), 0);
		store_rlx(&ran, 0); /* nobody else is there */
		assert_int_equal(FILCH_RUN(from_afar, other, n), 0);
		assert_int_equal(load_rlx(&ran), n); /* all done */
		assert_int_equal(filch_pool_destroy(other), 0);
	}
}

/* One after the other, each run by others while the spawner waits: more than a queue of
 * fixed size has room for. */
FILCH_STATIC_TASK_VOID(one_by_one, (int, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 1; i <= n; i++) {
		FILCH_GROUP_SPAWN(&g, tick, 1);
		while (load_rlx(&ran) < i) /* a look only */
			filch_sleep(1000);
	}
	filch_group_wait(&g);
}

/* All at once: none of them ends, and the spawner does not go on, before all have begun. */
FILCH_STATIC_TASK_VOID(come, (struct filch_event *, all), (int, n))
{
	if (add_rlx(&ran, 1) + 1 == n) /* counted */
		filch_event_set(all);
	filch_event_wait(all);
}

FILCH_STATIC_TASK_VOID(all_at_once, (int, n))
{
	struct filch_event all = {0};
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, come, &all, n);
	filch_event_wait(&all);
	filch_group_wait(&g);
}

static void test_small_blocks(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct filch_pool_options o = {.workers = workers, .block_size = 1};
		struct filch_pool *p;

		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		store_rlx(&ran, 0); /* nobody else is there */
		FILCH_RUN_ON(p, one_by_one, 200);
		store_rlx(&ran, 0); /* nobody else is there */
		FILCH_RUN_ON(p, all_at_once, 500);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),         cmocka_unit_test(test_tree),
		cmocka_unit_test(test_cancel),       cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_again),        cmocka_unit_test(test_other_pool),
		cmocka_unit_test(test_small_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
