/* SPDX-License-Identifier: MIT */
/*
 * Homes: a worker whose home is free goes there and keeps its affinity; it contradicts
 * nobody who has set another one; and it returns ever more seldom if it does not stay.
 */
#include "sched/home.h"

#include <string.h>

#include "base/clock.h"
#include "tests/test.h"

#define MS 1000000ull

static cpu_set_t all;
static int cpu[2]; /* two processors that the test may use */
static struct filch__seat seat;

static void be_on(const cpu_set_t *set)
{
	assert_int_equal(sched_setaffinity(0, sizeof *set, set), 0);
}

static void be_on_cpu(int c)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)c, &one);
	be_on(&one);
}

static void mask_is(const cpu_set_t *want)
{
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	assert_true(CPU_EQUAL(&set, want));
}

/* A worker whose home is the second processor, on the first one. */
static int begin(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	for (int c = 0; c < CPU_SETSIZE && n < 2; c++)
		if (CPU_ISSET((size_t)c, &all))
			cpu[n++] = c;
	if (n < 2)
		cpu[1] = -1;
	memset(&seat, 0, sizeof seat);
	seat.home.kind = FILCH__HOME_FREE;
	if (n == 2)
		CPU_SET((size_t)cpu[1], &seat.home.at);
	be_on_cpu(cpu[0]);
	return 0;
}

static int end(void **state)
{
	(void)state;
	be_on(&all);
	return 0;
}

#define NEEDS_TWO_PROCESSORS()  \
	do                      \
		if (cpu[1] < 0) \
			skip(); \
	while (0)

/* The kernel may move the thread away at once, so it is tried until it is seen there. */
static void test_goes(void **state)
{
	(void)state;
	NEEDS_TWO_PROCESSORS();
	do {
		be_on_cpu(cpu[0]);
		be_on(&all);
		filch__home_begin(&seat);
		mask_is(&all);
	} while (sched_getcpu() != cpu[1]);
	do {
		seat.home.after = 0;
		be_on_cpu(cpu[0]);
		be_on(&all);
		filch__home_return(&seat);
		mask_is(&all);
	} while (sched_getcpu() != cpu[1]);
}

static void test_bound(void **state)
{
	(void)state;
	NEEDS_TWO_PROCESSORS();
	be_on(&all);
	seat.home.kind = FILCH__HOME_BOUND;
	filch__home_begin(&seat);
	mask_is(&seat.home.at);
	be_on_cpu(cpu[0]); /* somebody else moves it: so it stays there */
	filch__home_return(&seat);
	assert_int_equal(sched_getcpu(), cpu[0]);
}

static void test_none(void **state)
{
	(void)state;
	seat.home.kind = FILCH__HOME_NONE;
	filch__home_begin(&seat);
	filch__home_return(&seat);
	assert_int_equal(sched_getcpu(), cpu[0]);
	assert_int_equal(seat.home.after, 0);
}

/* The first processor is all that it may use now. */
static void test_contradicts_nobody(void **state)
{
	cpu_set_t one;

	(void)state;
	NEEDS_TWO_PROCESSORS();
	assert_int_equal(sched_getaffinity(0, sizeof one, &one), 0);
	assert_int_equal(CPU_COUNT(&one), 1);
	filch__home_begin(&seat);
	mask_is(&one);
	filch__home_return(&seat);
	mask_is(&one);
	assert_true(seat.home.after > 0); /* it has tried */
}

static void test_steered(void **state)
{
	(void)state;
	NEEDS_TWO_PROCESSORS();
	be_on_cpu(cpu[0]);
	store_rlx(&seat.calls.steered, true); /* nobody else is here */
	filch__home_return(&seat);
	assert_int_equal(sched_getcpu(), cpu[0]);
}

static void test_ever_more_seldom(void **state)
{
	uint64_t before;

	(void)state;
	NEEDS_TWO_PROCESSORS(); /* it is kept on the first one, and never arrives */
	filch__home_return(&seat);
	assert_int_equal(seat.home.pause_ns, 10 * MS);
	before = seat.home.after;
	filch__home_return(&seat); /* unless this takes long, it is too early */
	assert_true(seat.home.after == before || filch__now_ns() >= before);
	for (uint64_t pause = 20 * MS; pause <= 10000 * MS; pause *= 2) {
		seat.home.pause_ns = pause / 2;
		seat.home.after = filch__now_ns(); /* it may return now */
		filch__home_return(&seat);
		if (seat.home.pause_ns == 10 * MS)
			continue; /* it was stopped for long */
		assert_int_equal(seat.home.pause_ns, pause);
		assert_true(seat.home.after > filch__now_ns() - MS);
	}
	seat.home.pause_ns = 10000 * MS;
	seat.home.after = filch__now_ns();
	filch__home_return(&seat);
	assert_int_equal(seat.home.pause_ns, 10000 * MS);
	/* It had been able to return for longer than the pause, and had no need. */
	seat.home.pause_ns = 40 * MS;
	seat.home.after = filch__now_ns() - 41 * MS;
	filch__home_return(&seat);
	assert_int_equal(seat.home.pause_ns, 10 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_goes, begin, end),
		cmocka_unit_test_setup_teardown(test_bound, begin, end),
		cmocka_unit_test_setup_teardown(test_none, begin, end),
		cmocka_unit_test_setup_teardown(test_contradicts_nobody, begin, end),
		cmocka_unit_test_setup_teardown(test_steered, begin, end),
		cmocka_unit_test_setup_teardown(test_ever_more_seldom, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
