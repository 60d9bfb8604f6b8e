/* SPDX-License-Identifier: MIT */
/*
 * Threads that are no workers: many that run tasks on one pool at once, several that use
 * the default pool first, pools made and ended in loops, several pools at a time, a pool
 * that runs tasks of another.
 */
#include <errno.h>
#include <filch.h>
#include <pthread.h>

#include "base/atomic.h"
#include "tests/test.h"

#define THREADS 16
#define POOLS 4

static pthread_barrier_t barrier;
static struct filch_pool *pools[POOLS];

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static const long fibs[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610};

/* Starts `THREADS` of them at once. Each gives back how many results were wrong. */
static void crowd(void *(*fn)(void *))
{
	pthread_t t[THREADS];

	assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, fn, (void *)i), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		void *wrong;

		pthread_join(t[i], &wrong);
		assert_ptr_equal(wrong, NULL);
	}
	pthread_barrier_destroy(&barrier);
}

static void *runs_on_default(void *arg)
{
	uintptr_t wrong;

	pthread_barrier_wait(&barrier);
	wrong = FILCH_RUN(fib, 15) != fibs[15];
	(void)arg;
	return (void *)wrong;
}

/* The first test here: nobody has started the default pool yet. */
static void default_pool(void **state)
{
	struct filch_pool *p;

	(void)state;
	crowd(runs_on_default);
	p = filch_pool_default(NULL);
	assert_non_null(p);
	assert_ptr_equal(filch_pool_default(NULL), p);
}

static void *runs_on_pools(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() + (uintptr_t)arg);
	uintptr_t wrong = 0;

	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < test_scaled(400); i++) {
		struct filch_pool *p = pools[filch__random_below(&random, POOLS)];
		int n = (int)filch__random_below(&random, 16);

		wrong += FILCH_RUN_ON(p, fib, n) != fibs[n];
	}
	return (void *)wrong;
}

/* The same pool four times, then four of different sizes. */
static void many_threads(void **state)
{
	(void)state;
	for (unsigned distinct = 1; distinct <= POOLS; distinct += POOLS - 1) {
		for (unsigned i = 0; i < POOLS; i++) {
			struct filch_pool_options o = {.workers = 1 + i * i};

			if (distinct == 1)
				o.workers = 2;
			if (i < distinct)
				assert_int_equal(filch_pool_create(&pools[i], &o, NULL),
				                 0);
			else
				pools[i] = pools[0];
		}
		crowd(runs_on_pools);
		for (unsigned i = 0; i < distinct; i++)
			assert_int_equal(filch_pool_destroy(pools[i]), 0);
	}
}

static void *makes_pools(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() - (uintptr_t)arg);
	uintptr_t wrong = 0;

	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < test_scaled(8); i++) {
		struct filch_pool_options o = {
			.workers = 1 + (unsigned)filch__random_below(&random, 4)};
		struct filch_pool *p;

		wrong += filch_pool_create(&p, &o, NULL) != 0;
		for (uint64_t n = filch__random_below(&random, 3); n; n--)
			wrong += FILCH_RUN_ON(p, fib, 12) != fibs[12];
		wrong += filch_pool_destroy(p) != 0;
	}
	return (void *)wrong;
}

static void pools_come_and_go(void **state)
{
	(void)state;
	crowd(makes_pools);
}

/* Ended the moment its work is done, or unused. */
static void ended_at_once(void **state)
{
	(void)state;
	for (unsigned i = 0; i < test_scaled(100); i++) {
		struct filch_pool_options o = {.workers = 1 + i % 8};
		struct filch_pool *p;

		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		if (i % 3)
			assert_int_equal(FILCH_RUN_ON(p, fib, (int)i % 16), fibs[i % 16]);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

FILCH_STATIC_TASK(long, across, (struct filch_pool *, other), (int, n))
{
	FILCH_SPAWN(x, fib, n);
	long y = FILCH_RUN_ON(other, fib, n);
	return FILCH_JOIN(x) + y;
}

static void *runs_across(void *arg)
{
	uintptr_t wrong = 0;

	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < test_scaled(100); i++)
		wrong += FILCH_RUN_ON(pools[0], across, pools[1], 12) != 2 * fibs[12];
	(void)arg;
	return (void *)wrong;
}

static void from_pool_to_pool(void **state)
{
	struct filch_pool_options o = {.workers = 2};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(filch_pool_create(&pools[i], &o, NULL), 0);
	crowd(runs_across);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(filch_pool_destroy(pools[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_pool),      cmocka_unit_test(many_threads),
		cmocka_unit_test(pools_come_and_go), cmocka_unit_test(ended_at_once),
		cmocka_unit_test(from_pool_to_pool),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
