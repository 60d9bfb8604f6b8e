/* SPDX-License-Identifier: MIT */
/*
 * Loops and scans whose bodies never join anything: other workers take part all the same,
 * whether workers are asked by polling or by a signal.
 */
#include <filch.h>

#include "base/atomic.h"
#include "tests/test.h"

#define WORKERS 4

static _Atomic(int) worked[WORKERS]; /* 1: that worker called a body */

static int workers(void)
{
	int n = 0;

	for (int i = 0; i < WORKERS; i++)
		n += load_rlx(&worked[i]);
	return n;
}

static void work(void)
{
	uint64_t until = filch__now_ns() + 200000;

	store_rlx(&worked[filch_worker_index()], 1);
	while (filch__now_ns() < until)
		;
}

static int scan(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	(void)begin, (void)before, (void)context;
	work();
	*(size_t *)sum += end - begin;
	return 0;
}

static void add(void *left, const void *right, void *context)
{
	(void)context;
	*(size_t *)left += *(const size_t *)right;
}

FILCH_STATIC_TASK_VOID(scans)
{
	size_t sum = 0;

	assert_int_equal(filch_scan(0, 100000, &sum, sizeof sum, scan, add, NULL), 0);
	assert_int_equal(sum, 100000);
}

static int loop(size_t begin, size_t end, void *context)
{
	(void)begin, (void)end, (void)context;
	work();
	return 0;
}

FILCH_STATIC_TASK_VOID(loops)
{
	assert_int_equal(filch_for_grain(0, 100, 1, loop, NULL), 0);
}

static void by(const char *ask, bool scanning)
{
	struct filch_pool_options o = {.workers = WORKERS, .ask = ask};
	struct filch_pool *pool;

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	for (int i = 0; i < 50; i++) {
		for (int k = 0; k < WORKERS; k++)
			store_rlx(&worked[k], 0);
		if (scanning)
			FILCH_RUN_ON(pool, scans);
		else
			FILCH_RUN_ON(pool, loops);
		if (workers() > 1)
			break;
	}
	assert_true(workers() > 1);
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void test_polled(void **state)
{
	(void)state;
	by("poll", true);
	by("poll", false);
}

static void test_signalled(void **state)
{
	(void)state;
	if (TEST_SLOW_BUILD)
		skip(); /* ThreadSanitizer delivers signals late */
	by("signal", true);
	by("signal", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_polled),
		cmocka_unit_test(test_signalled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
