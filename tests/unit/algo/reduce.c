/* SPDX-License-Identifier: MIT */
/* filch_reduce: the right result, the same everywhere. */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/everywhere.h"

#define MOST 200000

static double number[MOST];

static int add(size_t begin, size_t end, void *result, void *context)
{
	const double *a = context;
	double sum = *(double *)result;

	for (size_t i = begin; i < end; i++)
		sum += a[i];
	*(double *)result = sum;
	return 0;
}

static void plus(void *left, const void *right, void *context)
{
	(void)context;
	*(double *)left += *(const double *)right;
}

/* Sums of numbers of all sizes: another order gives another last bit. */
struct expected {
	size_t n, grain;
	double sum;
	bool known;
};

static void same_bits(void *context)
{
	struct expected *e = context;
	double sum = 0;

	assert_int_equal(filch_reduce_grain(0, e->n, e->grain, &sum, sizeof sum, add,
	                                    plus, number),
	                 0);
	if (e->known)
		assert_memory_equal(&sum, &e->sum, sizeof sum);
	e->sum = sum;
	e->known = true;
}

static void test_same_bits(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 10, 1000, 4097, 65536, MOST};
	struct filch__random random = filch__random_seed(test_seed());
	double one_by_one = 0, other;

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		number[i] = (double)(filch__random_next(&random) % 1000000) /
		            (double)(1 + filch__random_next(&random) % 1000000);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t grain = 0; grain < 3000; grain = grain * 50 + 7) {
			struct expected e = {.n = sizes[i], .grain = grain};

			for (int k = 0; k < 3; k++)
				everywhere(same_bits, &e);
			one_by_one = 0;
			add(0, e.n, &one_by_one, number);
			other = e.sum - one_by_one;
			assert_true((other < 0 ? -other : other) <= 1e-6 * one_by_one);
		}
}

/* ---- an operation that does not commute: x -> (ax + b) mod p, one after the other ---- */

#define P 1000003u

struct affine {
	uint64_t a, b;
};

static void then(void *left, const void *right, void *context)
{
	struct affine *l = left;
	const struct affine *r = right;

	(void)context;
	l->b = (l->b * r->a + r->b) % P;
	l->a = l->a * r->a % P;
}

static int compose(size_t begin, size_t end, void *result, void *context)
{
	(void)context;
	for (size_t i = begin; i < end; i++) {
		struct affine f = {i % 97 + 2, i % 89 + 1};

		then(result, &f, NULL);
	}
	return 0;
}

static void in_order(void *context)
{
	struct affine all = {1, 0}, expected = {1, 0};

	(void)context;
	compose(3, 100003, &expected, NULL);
	assert_int_equal(filch_reduce(3, 100003, &all, sizeof all, compose, then, NULL),
	                 0);
	assert_memory_equal(&all, &expected, sizeof all);
}

static void test_in_order(void **state)
{
	(void)state;
	everywhere(in_order, NULL);
}

/* ---- results that do not fit into a frame ---- */

#define LETTERS 1000

static int count(size_t begin, size_t end, void *result, void *context)
{
	uint32_t *n = result;

	(void)context;
	for (size_t i = begin; i < end; i++)
		n[i % LETTERS]++;
	return 0;
}

static void add_counts(void *left, const void *right, void *context)
{
	(void)context;
	for (size_t i = 0; i < LETTERS; i++)
		((uint32_t *)left)[i] += ((const uint32_t *)right)[i];
}

static void large(void *context)
{
	uint32_t n[LETTERS] = {0};

	(void)context;
	assert_int_equal(
		filch_reduce(0, 50 * LETTERS, n, sizeof n, count, add_counts, NULL), 0);
	for (size_t i = 0; i < LETTERS; i++)
		assert_int_equal(n[i], 50);
}

static void test_large(void **state)
{
	(void)state;
	everywhere(large, NULL);
}

/* ---- ends ---- */

static void empty(void *context)
{
	double sum = 42;

	(void)context;
	assert_int_equal(filch_reduce(7, 7, &sum, sizeof sum, add, plus, number), 0);
	assert_true(sum == 42);
}

static int fail_at(size_t begin, size_t end, void *result, void *context)
{
	*(double *)result = 1;
	return begin <= *(size_t *)context && *(size_t *)context < end ? -7 : 0;
}

static void failing(void *context)
{
	for (size_t at = 0; at < 100000; at = at * 9 + 5) {
		double sum = 42;

		(void)context;
		assert_int_equal(
			filch_reduce(0, 100000, &sum, sizeof sum, fail_at, plus, &at),
			-7);
		assert_true(sum == 42);
	}
}

static void cancelled(void *context)
{
	double sum = 42;

	(void)context;
	assert_int_equal(filch_reduce(0, MOST, &sum, sizeof sum, add, plus, number),
	                 -ECANCELED);
	assert_true(sum == 42);
}

static void test_ends(void **state)
{
	(void)state;
	everywhere(empty, NULL);
	everywhere(failing, NULL);
	everywhere_cancelled(cancelled, NULL);
}

static struct presence asleep;

static int wait_and_add(size_t begin, size_t end, void *result, void *context)
{
	(void)context;
	come(&asleep);
	filch_sleep((TEST_SLOW_BUILD ? 200 : 20) * FILCH_MS);
	go(&asleep);
	*(double *)result += (double)(end - begin);
	return 0;
}

/* With a grain all leaves are offered at once, and wait together on one worker. */
static void waiting(void *context)
{
	double sum = 0;

	(void)context;
	store_rlx(&asleep.most, 0);
	assert_int_equal(
		filch_reduce_grain(0, 32, 1, &sum, sizeof sum, wait_and_add, plus, NULL),
		0);
	assert_true(sum == 32);
	assert_true(load_rlx(&asleep.most) >= 16);
}

static void test_waiting(void **state)
{
	(void)state;
	in_pool(1, waiting, NULL);
	in_pool(8, waiting, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bits), cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_large),     cmocka_unit_test(test_ends),
		cmocka_unit_test(test_waiting),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
