/* SPDX-License-Identifier: MIT */
/*
 * Two tasks, each of which ends only when the other one has begun: the second worker has to
 * get one of them, so the first one has to hear that it is hungry at its joins, or to answer
 * when it is asked.
 */
#include <sched.h>

#include <filch.h>

#include "tests/test.h"

FILCH_STATIC_TASK(unsigned, fib, (unsigned, n))
{
	unsigned y;

	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK_VOID(meet, (struct filch_event *, me), (struct filch_event *, other))
{
	filch_event_set(me);
	while (!filch_event_is_set(other))
		FILCH_CALL(fib, 5);
}

FILCH_STATIC_TASK(unsigned, be_robbed, (uint64_t, times))
{
	unsigned met = 0;

	for (; times; times--, met++) {
		struct filch_event one = FILCH_EVENT_INIT, two = FILCH_EVENT_INIT;

		FILCH_SPAWN(x, meet, &one, &two);
		FILCH_CALL(meet, &two, &one);
		FILCH_JOIN(x);
	}
	return met;
}

/* With one processor for all workers, the idle one asks seldom. */
static uint64_t rounds(void)
{
	cpu_set_t may;

	assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
	return CPU_COUNT(&may) == 1 ? 5 : test_scaled(200);
}

static void run(const char *ask, unsigned workers)
{
	struct filch_pool_options o = {.workers = workers, .ask = ask};
	const uint64_t times = rounds();
	struct filch_pool *pool;

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	assert_int_equal(FILCH_RUN_ON(pool, be_robbed, times), times);
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void test_poll(void **state)
{
	(void)state;
	for (unsigned workers = 2; workers <= 8; workers *= 2)
		run("poll", workers);
}

static void test_signal(void **state)
{
	(void)state;
	run("signal", 2);
}

/* Both workers share a processor: when the second one runs, the first has long gone on,
 * and has got back some of what it exposed. */
static void test_one_processor(void **state)
{
	cpu_set_t all, one;
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	while (!CPU_ISSET((size_t)cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	run("poll", 2);
	run("signal", 2);
	assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poll),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_one_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
