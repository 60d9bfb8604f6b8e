/* SPDX-License-Identifier: MIT */
/*
 * Sleeping: never too short, on strands and on other threads; many at once on one worker;
 * ended by cancelling the group, or one that it was begun in, however deep.
 */
#include <errno.h>
#include <filch.h>
#include <filch/time.h>
#include <stdatomic.h>

#include "tests/test.h"

static struct filch_pool *pool;

static void open_pool(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

FILCH_STATIC_TASK(bool, sleeps, (uint64_t, ns))
{
	uint64_t began = filch_now();

	return filch_sleep(ns) == 0 && filch_now() - began >= ns;
}

static void not_too_short(void **state)
{
	(void)state;
	open_pool(2);
	for (uint64_t ns = 0; ns < 20 * FILCH_MS; ns = ns * 3 + 1)
		assert_true(FILCH_RUN_ON(pool, sleeps, ns));
	assert_int_equal(filch_pool_destroy(pool), 0);
	assert_true(sleeps(FILCH_MS)); /* on a thread outside */
	assert_int_equal(filch_sleep_until(0), 0);
	assert_true(filch_after(FILCH_NEVER) == FILCH_NEVER);
	filch_yield(); /* does nothing here */
}

FILCH_STATIC_TASK(size_t, all_sleep, (size_t, n), (uint64_t, until))
{
	if (n == 1)
		return filch_sleep_until(until + filch_now() % FILCH_MS) == 0 &&
		       filch_now() >= until;
	FILCH_SPAWN(a, all_sleep, n / 2, until);
	size_t b = FILCH_CALL(all_sleep, n - n / 2, until);
	return FILCH_JOIN(a) + b;
}

/* One worker: if a sleep held it, this would take a day. */
static void many_at_once(void **state)
{
	size_t n = test_scaled(4000);

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		open_pool(workers);
		assert_int_equal(
			FILCH_RUN_ON(pool, all_sleep, n, filch_after(30 * FILCH_MS)), n);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- cancelled ---- */

static _Atomic(unsigned) cancelled, asleep;

FILCH_STATIC_TASK_VOID(sleeps_for_good)
{
	atomic_fetch_add(&asleep, 1);
	if (filch_sleep_until(FILCH_NEVER) == -ECANCELED &&
	    filch_sleep(3600 * FILCH_S) == -ECANCELED)
		atomic_fetch_add(&cancelled, 1);
}

/* Sleepers in this group, and in one begun in it, and so on. */
FILCH_STATIC_TASK_VOID(nest, (unsigned, depth))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, sleeps_for_good);
	FILCH_GROUP_SPAWN(&g, sleeps_for_good);
	if (depth)
		FILCH_GROUP_SPAWN(&g, nest, depth - 1);
	filch_group_wait(&g);
}

FILCH_STATIC_TASK(int, cancels, (unsigned, depth), (unsigned, wait_for))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, nest, depth);
	while (atomic_load(&asleep) < wait_for)
		filch_sleep(100 * FILCH_US);
	filch_group_cancel(&g);
	filch_group_cancel(&g);
	return filch_group_wait(&g);
}

static void cancelling_ends_it(void **state)
{
	const unsigned depth = 5, sleepers = 2 * (depth + 1);

	(void)state;
	for (unsigned round = 0; round < test_scaled(200); round++) {
		open_pool(1 + round % 3);
		atomic_store(&cancelled, 0);
		atomic_store(&asleep, 0);
		/* Sometimes some of them have not even begun: they never do. */
		assert_int_equal(FILCH_RUN_ON(pool, cancels, depth,
		                              round % 2 ? sleepers : round % sleepers),
		                 -ECANCELED);
		assert_int_equal(atomic_load(&cancelled), atomic_load(&asleep));
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* Tasks outside the group sleep on. */
FILCH_STATIC_TASK(bool, others_sleep_on)
{
	struct filch_group a, b;
	uint64_t began = filch_now();

	atomic_store(&asleep, 0);
	filch_group_begin(&a);
	filch_group_begin(&b);
	FILCH_GROUP_SPAWN(&a, sleeps_for_good);
	FILCH_SPAWN(other, sleeps, 20 * FILCH_MS);
	while (atomic_load(&asleep) < 1)
		filch_sleep(FILCH_MS);
	filch_group_cancel(&a);
	filch_group_wait(&a);
	return FILCH_JOIN(other) && filch_group_wait(&b) == 0 &&
	       filch_now() - began >= 20 * FILCH_MS;
}

static void only_the_group(void **state)
{
	(void)state;
	open_pool(2);
	assert_true(FILCH_RUN_ON(pool, others_sleep_on));
	assert_int_equal(filch_pool_destroy(pool), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(not_too_short),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(cancelling_ends_it),
		cmocka_unit_test(only_the_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
