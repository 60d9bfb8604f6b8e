/* SPDX-License-Identifier: MIT */
/* Many sorts at once, of all kinds, on 1, 2 and 8 workers, by tasks and by threads. */
#include <filch.h>
#include <filch/numbers.h>
#include <filch/sort.h>
#include <pthread.h>
#include <string.h>

#include "tests/sort_inputs.h"

struct pair {
	uint32_t key, index;
};

#define FILCH_SORT_NAME sort_pairs
#define FILCH_SORT_STABLE_NAME stable_sort_pairs
#define FILCH_SORT_TYPE struct pair
#define FILCH_SORT_LESS(a, b) ((a)->key < (b)->key)
#include <filch/sort_template.h>

static int by_key(const void *a, const void *b, void *context)
{
	const struct pair *x = a, *y = b;

	(void)context;
	return (x->key > y->key) - (x->key < y->key);
}

/* Sorts an array of its own; 0 if it is right. The sum of the indices tells whether one
 * is lost. */
FILCH_STATIC_TASK(int, one, (uint64_t, seed), (size_t, most))
{
	struct filch__random r = filch__random_seed(seed);
	size_t n = filch__random_below(&r, most) + 1;
	enum input input = (enum input)filch__random_below(&r, INPUTS);
	int how = (int)filch__random_below(&r, 4), wrong = 0;
	struct pair *a = malloc(n * sizeof *a);
	uint64_t sum = 0;

	if (!a)
		return 1;
	for (size_t i = 0; i < n; i++)
		a[i] = (struct pair){input_key(input, i, n, &r), (uint32_t)i};
	if (how == 0)
		filch_sort(a, n, sizeof *a, by_key, NULL);
	else if (how == 1)
		filch_stable_sort(a, n, sizeof *a, by_key, NULL);
	else if (how == 2)
		sort_pairs(a, n);
	else
		stable_sort_pairs(a, n);
	for (size_t i = 0; i < n; i++) {
		sum += a[i].index;
		wrong |= i && a[i - 1].key > a[i].key;
		wrong |= i && how % 2 && a[i - 1].key == a[i].key &&
		         a[i - 1].index > a[i].index;
	}
	wrong |= sum != (uint64_t)n * (n - 1) / 2;
	free(a);
	return wrong;
}

FILCH_STATIC_TASK(int, many, (uint64_t, seed), (size_t, n))
{
	if (n == 1)
		return FILCH_CALL(one, seed, 20000);
	FILCH_SPAWN(left, many, 2 * seed, n / 2);
	int wrong = FILCH_CALL(many, 2 * seed + 1, n - n / 2);
	return FILCH_JOIN(left) + wrong;
}

static void test_tasks(void **state)
{
	const unsigned workers[] = {1, 2, 8};

	(void)state;
	for (int p = 0; p < 3; p++) {
		struct filch_pool_options o = {.workers = workers[p]};
		struct filch_pool *pool;

		assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
		assert_int_equal(FILCH_RUN_ON(pool, many, test_seed(), test_scaled(200)),
		                 0);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void *outside(void *wrong)
{
	for (uint64_t i = 0; i < test_scaled(16); i++)
		*(int *)wrong |= one(test_seed() + i, 50000);
	return NULL;
}

/* All into the default pool. */
static void test_threads(void **state)
{
	pthread_t threads[4];
	int wrong[4] = {0};

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, outside, &wrong[i]),
		                 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(wrong[i], 0);
	}
}

static void test_large(void **state)
{
	const size_t n = test_scaled(1000000);
	struct filch__random r = filch__random_seed(test_seed());
	double *a = malloc(n * sizeof *a);
	uint64_t sum = 0, after = 0, bits;

	(void)state;
	assert_non_null(a);
	for (int stable = 0; stable < 2; stable++) {
		sum = after = 0;
		for (size_t i = 0; i < n; i++) {
			a[i] = (double)(int64_t)filch__random_next(&r);
			memcpy(&bits, &a[i], sizeof bits);
			sum += bits;
		}
		if (stable)
			filch_stable_sort_f64(a, n);
		else
			filch_sort_f64(a, n);
		for (size_t i = 0; i < n; i++) {
			assert_true(!i || a[i - 1] <= a[i]);
			memcpy(&bits, &a[i], sizeof bits);
			after += bits;
		}
		assert_true(sum == after);
	}
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
