/* SPDX-License-Identifier: MIT */
/*
 * Locks held over a join. While the join waits for stolen work, its worker runs other
 * tasks on stacks of their own; so a task that wants the lock waits above no frame of its
 * holder, and the holder goes on wherever a worker is free.
 *
 * A worker that waits for a plain mutex does nothing else. So one must be left for the
 * holder and what it joins: that is so as long as no more tasks want the lock at a time
 * than there are workers.
 */
#include <filch.h>
#include <pthread.h>

#include "base/atomic.h"
#include "tests/test.h"

#define MOST 64

static pthread_mutex_t lock[MOST];
static long guarded[MOST]; /* each by its lock */

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* Long enough, with its 377 + 233 tasks, for somebody to steal some. */
FILCH_STATIC_TASK(long, holds, (unsigned, at), (int, n))
{
	long sum;

	pthread_mutex_lock(&lock[at]);
	FILCH_SPAWN(x, fib, n);
	sum = FILCH_CALL(fib, n - 1);
	sum += FILCH_JOIN(x);
	guarded[at] += sum;
	pthread_mutex_unlock(&lock[at]);
	return sum;
}

/* `n` holders at a time, of `locks` different locks. */
FILCH_STATIC_TASK(long, all_hold, (unsigned, n), (unsigned, locks), (int, size))
{
	FILCH_FRAME(holds) part[MOST];
	long sum = 0;

	for (unsigned i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], holds, i % locks, size);
	for (unsigned i = 0; i < n; i++)
		sum += FILCH_JOIN_AT(&part[i], holds);
	return sum;
}

static struct filch_pool *set_up(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p;

	for (unsigned i = 0; i < MOST; i++) {
		assert_int_equal(pthread_mutex_init(&lock[i], NULL), 0);
		guarded[i] = 0;
	}
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	return p;
}

static void tear_down(struct filch_pool *p, long expected)
{
	long sum = 0;

	assert_int_equal(filch_pool_destroy(p), 0);
	for (unsigned i = 0; i < MOST; i++) {
		sum += guarded[i];
		pthread_mutex_destroy(&lock[i]);
	}
	assert_int_equal(sum, expected);
}

/* Runs all_hold() again and again; fib(14) + fib(13) is 610. */
static void repeat(unsigned workers, unsigned n, unsigned locks, size_t times)
{
	struct filch_pool *p = set_up(workers);
	long each = 610 * (long)n;

	for (size_t i = 0; i < times; i++)
		assert_int_equal(FILCH_RUN_ON(p, all_hold, n, locks, 14), each);
	tear_down(p, each * (long)times);
}

/* As many that want the lock as there are workers. */
static void one_lock(void **state)
{
	(void)state;
	repeat(1, 1, 1, test_scaled(400));
	repeat(2, 2, 1, test_scaled(2000));
	repeat(4, 4, 1, test_scaled(1000));
	repeat(8, 8, 1, test_scaled(400));
}

/* Two, however many workers there are. */
static void two_tasks(void **state)
{
	(void)state;
	repeat(4, 2, 1, test_scaled(1000));
	repeat(8, 2, 1, test_scaled(1000));
}

/* Any number of tasks, each with a lock of its own. */
static void own_locks(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2)
		repeat(workers, MOST, MOST, test_scaled(40));
}

/* ---- a task that is run where the holder has stopped ---- */

FILCH_STATIC_TASK(long, begins, (_Atomic(int) *, begun))
{
	uint64_t end = filch__now_ns() + 100000;

	store_rel(begun, 1); /* seen by holds_below() */
	while (filch__now_ns() < end)
		;
	return 1;
}

FILCH_STATIC_TASK(long, wants)
{
	pthread_mutex_lock(&lock[0]);
	guarded[0]++;
	pthread_mutex_unlock(&lock[0]);
	return 1;
}

/* Once somebody has stolen x, the join stops here, and y is the next thing to run. */
FILCH_STATIC_TASK(long, holds_below)
{
	uint64_t end = filch__now_ns() + 2000000;
	_Atomic(int) begun;
	long sum = 0;

	atomic_init(&begun, 0);
	pthread_mutex_lock(&lock[0]);
	FILCH_SPAWN(x, begins, &begun);
	FILCH_SPAWN(y, wants);
	while (!load_acq(&begun) && filch__now_ns() < end) /* made by begins() */
		sum += FILCH_CALL(fib, 5) - 5;
	sum += FILCH_JOIN(x);
	guarded[0]++;
	pthread_mutex_unlock(&lock[0]);
	return sum + FILCH_JOIN(y);
}

static void run_on_top(void **state)
{
	(void)state;
	for (unsigned workers = 2; workers <= 8; workers *= 2) {
		struct filch_pool *p = set_up(workers);
		size_t times = test_scaled(400);
		struct filch_stats stats;

		for (size_t i = 0; i < times; i++)
			assert_int_equal(FILCH_RUN_ON(p, holds_below), 2);
		assert_int_equal(filch_pool_stats(p, -1, &stats), 0);
		print_message("%u workers: suspended %llu times\n", workers,
		              (unsigned long long)stats.suspended);
		tear_down(p, 2 * (long)times);
	}
}

/* Any number of tasks and one lock that is not held over a join, also within what is
 * joined under another lock. */
FILCH_STATIC_TASK(long, brief, (int, n))
{
	long sum = FILCH_CALL(fib, n);

	pthread_mutex_lock(&lock[0]);
	guarded[0] += sum;
	pthread_mutex_unlock(&lock[0]);
	return sum;
}

FILCH_STATIC_TASK(long, holds_over_brief, (unsigned, at))
{
	long sum;

	pthread_mutex_lock(&lock[at]);
	FILCH_SPAWN(x, brief, 11);
	sum = FILCH_CALL(brief, 10);
	sum += FILCH_JOIN(x);
	pthread_mutex_unlock(&lock[at]);
	return sum;
}

FILCH_STATIC_TASK(long, all_brief)
{
	FILCH_FRAME(holds_over_brief) part[MOST];
	long sum = 0;

	for (unsigned i = 1; i < MOST; i++)
		FILCH_SPAWN_AT(&part[i], holds_over_brief, i);
	for (unsigned i = 1; i < MOST; i++)
		sum += FILCH_JOIN_AT(&part[i], holds_over_brief);
	return sum;
}

static void short_locks(void **state)
{
	const long each = (MOST - 1) * (89 + 55);

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool *p = set_up(workers);
		size_t times = test_scaled(80);

		for (size_t i = 0; i < times; i++)
			assert_int_equal(FILCH_RUN_ON(p, all_brief), each);
		tear_down(p, each * (long)times);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_lock),    cmocka_unit_test(two_tasks),
		cmocka_unit_test(own_locks),   cmocka_unit_test(run_on_top),
		cmocka_unit_test(short_locks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
