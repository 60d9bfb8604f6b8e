/* SPDX-License-Identifier: MIT */
/*
 * Memory refused at the n-th call, for every n: a reduction or a scan says so and leaves its
 * result as it was, or is right. Loops need no memory.
 */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/everywhere.h"

static _Atomic(long) calls_left = 1L << 40; /* before one is refused */
static _Atomic(int) all_after;              /* and all after it */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	long left = add_rlx(&calls_left, -1);

	return left > 0 || (left < 0 && !load_rlx(&all_after)) ? __real_malloc(size)
	                                                       : NULL;
}

#define PLACES 100
#define N 20000

static int count(size_t begin, size_t end, void *result, void *context)
{
	(void)context;
	for (size_t i = begin; i < end; i++)
		((long *)result)[i % PLACES]++;
	return 0;
}

static void add(void *left, const void *right, void *context)
{
	(void)context;
	for (size_t i = 0; i < PLACES; i++)
		((long *)left)[i] += ((const long *)right)[i];
}

static void reduces(void *context)
{
	long sum[PLACES] = {0};
	int r;

	store_rlx(&calls_left, *(long *)context);
	r = filch_reduce_grain(0, N, 10, sum, sizeof sum, count, add, NULL);
	store_rlx(&calls_left, 1L << 40);
	assert_true(r == 0 || r == -ENOMEM);
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(sum[i], r ? 0 : N / PLACES);
}

static int prefix(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	long s = *(long *)sum;

	for (size_t i = begin; i < end; i++) {
		s += (long)i;
		if (before)
			((long *)context)[i] = *(const long *)before + s;
	}
	*(long *)sum = s;
	return 0;
}

static void plus(void *left, const void *right, void *context)
{
	(void)context;
	*(long *)left += *(const long *)right;
}

static long out[N];

static void scans(void *context)
{
	long sum = 0;
	int r;

	store_rlx(&calls_left, *(long *)context);
	r = filch_scan_grain(0, N, 100, &sum, sizeof sum, prefix, plus, out);
	store_rlx(&calls_left, 1L << 40);
	assert_true(r == 0 || r == -ENOMEM);
	if (r) {
		assert_int_equal(sum, 0);
		return;
	}
	for (long i = 0; i < N; i++)
		assert_int_equal(out[i], i * (i + 1) / 2);
}

static int mark(size_t begin, size_t end, void *context)
{
	for (size_t i = begin; i < end; i++)
		((long *)context)[i] = (long)i;
	return 0;
}

static void loops(void *context)
{
	int r;

	memset(out, 0, sizeof out);
	store_rlx(&calls_left, *(long *)context);
	r = filch_for_grain(0, N, 10, mark, out);
	store_rlx(&calls_left, 1L << 40);
	assert_int_equal(r, 0);
	for (long i = 0; i < N; i++)
		assert_int_equal(out[i], i);
}

static void refuse_each(void (*test)(void *))
{
	for (int all = 0; all < 2; all++)
		for (long n = 0; n < 40; n++) {
			store_rlx(&all_after, all);
			for (int i = 0; i < EVERYWHERE_POOLS; i++)
				in_pool(everywhere_workers[i], test, &n);
		}
}

static void test_reductions(void **state)
{
	(void)state;
	refuse_each(reduces);
}

static void test_scans(void **state)
{
	(void)state;
	refuse_each(scans);
}

static void test_loops(void **state)
{
	(void)state;
	refuse_each(loops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_scans),
		cmocka_unit_test(test_loops),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
