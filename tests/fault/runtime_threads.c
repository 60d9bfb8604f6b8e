/* SPDX-License-Identifier: MIT */
/*
 * Threads refused: a pool makes do with those that it gets, and the work is right; without
 * any it fails with words and leaves nothing.
 */
#include <errno.h>
#include <filch.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "tests/test.h"

#define WORKERS 4

static int threads_left = -1; /* before all are refused; -1: refuse none */

int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg)
{
	if (threads_left == 0)
		return EAGAIN;
	if (threads_left > 0)
		threads_left--;
	return __real_pthread_create(t, a, fn, arg);
}

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
	threads_left = 0;
	assert_int_equal(filch_pool_create(&p, &o, &why), -EAGAIN);
	assert_null(p);
	assert_non_null(why);
	assert_non_null(strstr(why, "refuses to start threads"));
	assert_int_equal(filch_pool_create(&p, &o, NULL), -EAGAIN);
	assert_null(filch_pool_default(&why));
	threads_left = -1;
	assert_non_null(filch_pool_default(&why)); /* it is tried again */
	assert_int_equal(FILCH_RUN(fib, 15), 610);
}

static void fewer_threads(void **state)
{
	struct filch_pool_options o = {.workers = WORKERS};

	(void)state;
	for (int n = 1; n <= WORKERS; n++) {
		struct filch_pool *p;

		threads_left = n;
		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		for (size_t i = 0; i < test_scaled(40); i++)
			assert_int_equal(FILCH_RUN_ON(p, fib, 18), 2584);
		assert_int_equal(filch_pool_destroy(p), 0);
		threads_left = -1;
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
