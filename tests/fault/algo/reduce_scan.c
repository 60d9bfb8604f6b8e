/* SPDX-License-Identifier: MIT */
/*
 * Memory refused at the n-th call, or from the n-th on: a reduction or a scan returns -ENOMEM
 * and leaves its result as it was, or its result is right. Loops need no memory.
 */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "tests/everywhere.h"
#include "tests/refuse.h"

REFUSE__wrap_malloc(refused());

struct refusal {
	long n; /* so many calls go well first */
	bool all;
};

static void begin_refusals(const void *context)
{
	const struct refusal *r = context;

	refuse_after(r->n, r->all);
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

	begin_refusals(context);
	r = filch_reduce_grain(0, N, 10, sum, sizeof sum, count, add, NULL);
	refuse_none();
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

	begin_refusals(context);
	r = filch_scan_grain(0, N, 100, &sum, sizeof sum, prefix, plus, out);
	refuse_none();
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
	begin_refusals(context);
	r = filch_for_grain(0, N, 10, mark, out);
	refuse_none();
	assert_int_equal(r, 0);
	for (long i = 0; i < N; i++)
		assert_int_equal(out[i], i);
}

static void refuse_each(void (*test)(void *))
{
	for (int all = 0; all < 2; all++)
		for (long n = 0; n < 40; n++) {
			struct refusal r = {n, all};

			for (int i = 0; i < EVERYWHERE_POOLS; i++)
				in_pool(everywhere_workers[i], test, &r);
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
