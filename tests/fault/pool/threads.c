/* SPDX-License-Identifier: MIT */
/*
 * Threads refused: a pool makes do with those that it gets, and the work is right; without
 * any it fails with words and leaves nothing.
 */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "tests/refuse.h"
#include "tests/test.h"

#define WORKERS 4

REFUSE__wrap_pthread_create(refused());

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void no_threads(void **state)
{
	struct filch_pool_options o = {.workers = WORKERS};
	struct filch_pool *p = NULL;
	const char *why = NULL;

	(void)state;
	refuse_after(0, true);
	assert_int_equal(filch_pool_create(&p, &o, &why), -EAGAIN);
	assert_null(p);
	assert_non_null(why);
	assert_non_null(strstr(why, "refuses to start threads"));
	assert_int_equal(filch_pool_create(&p, &o, NULL), -EAGAIN);
	assert_null(filch_pool_default(&why));
	refuse_none();
	assert_non_null(filch_pool_default(&why)); /* it is tried again */
	assert_int_equal(FILCH_RUN(fib, 15), 610);
}

static void fewer_threads(void **state)
{
	struct filch_pool_options o = {.workers = WORKERS};

	(void)state;
	for (int n = 1; n <= WORKERS; n++) {
		struct filch_pool *p;

		refuse_after(n, true);
		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		for (size_t i = 0; i < test_scaled(40); i++)
			assert_int_equal(FILCH_RUN_ON(p, fib, 18), 2584);
		assert_int_equal(filch_pool_destroy(p), 0);
		refuse_none();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_threads),
		cmocka_unit_test(fewer_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
