/* SPDX-License-Identifier: MIT */
/*
 * Parking, one step at a time in one thread: who is called, and what is left behind.
 */
#include "tests/test.h"

#include <pthread.h>
#include <time.h>

#include "sched/park.h"

#define PARKERS (2 * FILCH__TALLY_EACH + 3) /* in three parts */

static struct filch__lot lot;
static struct filch__parker parker[PARKERS];

static int set_up(void **state)
{
	(void)state;
	filch__lot_init(&lot, parker, PARKERS, NULL);
	return 0;
}

static void sleep_until_called(uint32_t me, bool lends)
{
	while (filch__park_doze(&lot, me, UINT64_MAX, lends))
		;
	filch__park_cancel(&lot, me);
}

static void test_nobody_idle(void **state)
{
	(void)state;
	assert_false(filch__park_notify(&lot, FILCH__OUTSIDE));
}

static void test_called_before_sleep(void **state)
{
	(void)state;
	filch__park_announce(&lot, 1);
	assert_true(filch__park_notify(&lot, FILCH__OUTSIDE));
	sleep_until_called(1, false); /* returns at once */
	assert_false(filch__park_notify(&lot, FILCH__OUTSIDE));
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
}

static void test_cancel(void **state)
{
	(void)state;
	filch__park_announce(&lot, 0);
	assert_false(filch__park_cancel(&lot, 0));
	assert_false(filch__park_notify(&lot, FILCH__OUTSIDE));
	filch__park_announce(&lot, 0);
	assert_true(filch__park_notify(&lot, FILCH__OUTSIDE));
	assert_true(filch__park_cancel(&lot, 0)); /* called: pass it on */
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
}

static void test_one_call_each(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < PARKERS; i++)
		filch__park_announce(&lot, i);
	for (uint32_t i = 0; i < PARKERS; i++)
		assert_true(filch__park_notify(&lot, FILCH__OUTSIDE));
	assert_false(filch__park_notify(&lot, FILCH__OUTSIDE));
	for (uint32_t i = 0; i < PARKERS; i++)
		sleep_until_called(i, i % 2);
}

static void test_all(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < PARKERS; i++)
		filch__park_announce(&lot, i);
	filch__park_notify_all(&lot);
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
	for (uint32_t i = 0; i < PARKERS; i++)
		assert_true(filch__park_cancel(&lot, i));
}

/* A worker calls the next one that is idle, which learns who it was. */
static void test_caller(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < PARKERS; i++)
		filch__park_announce(&lot, i);
	assert_true(filch__park_notify(&lot, 1));
	assert_true(filch__park_is_called(&lot, 2));
	assert_false(filch__park_is_called(&lot, 0));
	assert_int_equal(filch__park_caller(&lot, 2), 1);
	assert_int_equal(filch__park_caller(&lot, 2), FILCH__OUTSIDE); /* told once */
	assert_true(filch__park_call(&lot, 2, 1));
	assert_int_equal(filch__park_caller(&lot, 1), 2);
	assert_true(filch__park_notify(&lot, FILCH__OUTSIDE));
	assert_true(filch__park_is_called(&lot, 0));
	assert_int_equal(filch__park_caller(&lot, 0), FILCH__OUTSIDE);
}

/* ---- lending ---- */

#define NAP_NS 1000

static void test_not_lent_before_it_sleeps(void **state)
{
	(void)state;
	assert_int_equal(filch__park_borrow(&lot, 0), FILCH__OUTSIDE);
	filch__park_announce(&lot, 5);
	assert_int_equal(filch__park_borrow(&lot, 5), FILCH__OUTSIDE);
	assert_true(filch__park_doze(&lot, 5, NAP_NS, false)); /* nobody calls it */
	assert_int_equal(filch__park_borrow(&lot, 5), FILCH__OUTSIDE);
	assert_false(filch__park_cancel(&lot, 5));
}

/* What a thread would find that wakes from a nap while its seat is lent. */
static void *napper(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg;

	filch__park_announce(&lot, me);
	while (filch__park_doze(&lot, me, NAP_NS, true))
		;
	filch__park_cancel(&lot, me);
	return NULL;
}

static uint32_t borrow(uint32_t first)
{
	uint32_t i = FILCH__OUTSIDE;

	while (i == FILCH__OUTSIDE)
		i = filch__park_borrow(&lot, first);
	return i;
}

static void test_lent(void **state)
{
	struct timespec longer = {0, 1000 * NAP_NS};
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, napper, (void *)(uintptr_t)40), 0);
	assert_int_equal(borrow(3), 40); /* wherever it begins to look */
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
	assert_false(filch__park_notify(&lot, FILCH__OUTSIDE));
	nanosleep(&longer, NULL);
	filch__park_announce(&lot, 40); /* the borrower sleeps in its turn */
	assert_true(filch__park_call(&lot, FILCH__OUTSIDE, 40));
	sleep_until_called(40, false);
	filch__park_give_back(&lot, 40);
	assert_int_equal(borrow(40), 40);
	filch__park_give_back(&lot, 40);
	assert_true(filch__park_call(&lot, FILCH__OUTSIDE, 40)); /* the thread itself */
	pthread_join(t, NULL);
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nobody_idle, set_up),
		cmocka_unit_test_setup(test_called_before_sleep, set_up),
		cmocka_unit_test_setup(test_cancel, set_up),
		cmocka_unit_test_setup(test_one_call_each, set_up),
		cmocka_unit_test_setup(test_all, set_up),
		cmocka_unit_test_setup(test_caller, set_up),
		cmocka_unit_test_setup(test_not_lent_before_it_sleeps, set_up),
		cmocka_unit_test_setup(test_lent, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
