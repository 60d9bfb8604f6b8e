/* SPDX-License-Identifier: MIT */
/*
 * Loops, reductions, scans and large memory with arguments that make no sense: an error, and
 * nothing is called or written; or, where there is no error to return, the end of the process
 * with a sentence.
 */
#include <errno.h>
#include <filch.h>

#include "tests/child.h"

static int calls;

static int body(size_t begin, size_t end, void *context)
{
	(void)begin, (void)end, (void)context;
	return calls++;
}

static int tile(const struct filch_tile *t, void *context)
{
	(void)t, (void)context;
	return calls++;
}

static int fold(size_t begin, size_t end, void *result, void *context)
{
	(void)begin, (void)end, (void)result, (void)context;
	return calls++;
}

static int scan(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	(void)begin, (void)end, (void)before, (void)sum, (void)context;
	return calls++;
}

static void combine(void *left, const void *right, void *context)
{
	(void)left, (void)right, (void)context;
	calls++;
}

static void test_loops(void **state)
{
	(void)state;
	assert_int_equal(filch_for(2, 1, body, NULL), -EINVAL);
	assert_int_equal(filch_for(0, 1, NULL, NULL), -EINVAL);
	assert_int_equal(filch_for(1, 1, NULL, NULL), -EINVAL);
	assert_int_equal(filch_for_grain(SIZE_MAX, 0, 1, body, NULL), -EINVAL);
	assert_int_equal(filch_for(1, 1, body, NULL), 0);
	assert_int_equal(filch_for_2d(1, 1, NULL, NULL), -EINVAL);
	assert_int_equal(filch_for_2d(SIZE_MAX, 2, tile, NULL), -EINVAL);
	assert_int_equal(filch_for_2d_grain(1, 1, 1, 0, tile, NULL), -EINVAL);
	assert_int_equal(filch_for_2d_grain(1, 1, 0, 1, tile, NULL), -EINVAL);
	assert_int_equal(filch_for_2d(0, SIZE_MAX, tile, NULL), 0);
	assert_int_equal(calls, 0);
}

static void test_reductions(void **state)
{
	long sum = 5;

	(void)state;
	assert_int_equal(filch_reduce(1, 0, &sum, sizeof sum, fold, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_reduce(0, 9, NULL, sizeof sum, fold, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_reduce(0, 9, &sum, 0, fold, combine, NULL), -EINVAL);
	assert_int_equal(filch_reduce(0, 9, &sum, sizeof sum, NULL, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_reduce(0, 9, &sum, sizeof sum, fold, NULL, NULL), -EINVAL);
	assert_int_equal(filch_reduce(0, 9, &sum, SIZE_MAX, fold, combine, NULL),
	                 -ENOMEM);
	assert_int_equal(sum, 5);
	assert_int_equal(calls, 0);
}

static void test_scans(void **state)
{
	long sum = 5;

	(void)state;
	assert_int_equal(filch_scan(1, 0, &sum, sizeof sum, scan, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_scan(0, 9, NULL, sizeof sum, scan, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_scan(0, 9, &sum, 0, scan, combine, NULL), -EINVAL);
	assert_int_equal(filch_scan(0, 9, &sum, 257, scan, combine, NULL), -EINVAL);
	assert_int_equal(filch_scan(0, 9, &sum, sizeof sum, NULL, combine, NULL),
	                 -EINVAL);
	assert_int_equal(filch_scan(0, 9, &sum, sizeof sum, scan, NULL, NULL), -EINVAL);
	assert_int_equal(sum, 5);
	assert_int_equal(calls, 0);
}

static void one_call(void)
{
	filch_both(NULL, NULL, NULL, NULL);
}

static void copy_nothing(void)
{
	char c = 0;

	filch_copy(&c, NULL, 1);
}

static void fill_nothing(void)
{
	filch_fill(NULL, 0, 1);
}

static void touch_nothing(void)
{
	filch_touch(NULL, 1);
}

static void test_messages(void **state)
{
	(void)state;
	ends_with(one_call, SIGABRT,
	          "filch: filch_both: there are not two functions to call; pass two\n");
	ends_with(copy_nothing, SIGABRT,
	          "filch: filch_copy: there is no memory to copy to or from; pass two "
	          "addresses\n");
	ends_with(fill_nothing, SIGABRT,
	          "filch: filch_fill: there is no memory to fill; pass its address\n");
	ends_with(touch_nothing, SIGABRT,
	          "filch: filch_touch: there is no memory to touch; pass its address\n");
	assert_null(filch_copy(NULL, NULL, 0));
	assert_null(filch_fill(NULL, 0, 0));
	filch_touch(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_messages), /* first: it forks, before there are threads */
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_scans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
