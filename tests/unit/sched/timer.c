/* SPDX-License-Identifier: MIT */
/*
 * The wheels of timers against a plain array: nothing goes off early, nothing that is due
 * by a whole tick stays behind, `next` is never after the next of all.
 */
#include "sched/timer.h"

#include "tests/test.h"

#define TIMERS 300
#define TICK (UINT64_C(1) << FILCH__TICK_BITS)

static struct filch__timers timers;
static struct filch__timer timer[TIMERS];
static bool set[TIMERS];
static uint64_t now;

static void fired(struct filch__timer *t)
{
	(void)t;
}

static void set_timer(size_t i, uint64_t deadline)
{
	timer[i].deadline = deadline;
	timer[i].fire = fired;
	timer[i].in = &timers;
	filch__timer_set(&timer[i]);
	set[i] = true;
}

static void begin(uint64_t at)
{
	now = at;
	filch__timers_init(&timers, now);
	for (size_t i = 0; i < TIMERS; i++) {
		timer[i].place = 0;
		set[i] = false;
	}
}

/* Fires what is due, `most` at a time, and compares. */
static void check(size_t most)
{
	struct filch__due due[TIMERS];
	size_t n;

	while ((n = filch__timers_due(&timers, now, due, most)) > 0) {
		for (size_t k = 0; k < n; k++) {
			size_t i = (size_t)(due[k].timer - timer);

			assert_true(set[i]);
			assert_true(timer[i].deadline <= now);
			assert_false(filch__timer_unset(&timer[i]));
			set[i] = false;
		}
	}
	filch__timers_check(&timers);
	for (size_t i = 0; i < TIMERS; i++) {
		if (!set[i])
			continue;
		assert_true(timer[i].deadline > now || now - timer[i].deadline < TICK);
		assert_true(load_rlx(&timers.earliest) / TICK <=
		            timer[i].deadline / TICK + 1); /* own */
	}
}

static void in_order(void **state)
{
	(void)state;
	begin(12345);
	assert_true(load_rlx(&timers.earliest) == UINT64_MAX);
	for (size_t i = 0; i < TIMERS; i++)
		set_timer(i, now + (TIMERS - i) * 3 * TICK);
	while (timers.count) {
		uint64_t next = load_rlx(&timers.earliest);

		assert_true(next > now);
		now = next;
		check(1);
	}
	assert_true(load_rlx(&timers.earliest) == UINT64_MAX);
}

static void far_away(void **state)
{
	(void)state;
	begin(UINT64_C(1) << 40);
	set_timer(0, UINT64_MAX - 1);
	set_timer(1, UINT64_C(1) << 62);
	set_timer(2, 0); /* long past */
	check(4);
	assert_false(set[2]);
	now = (UINT64_C(1) << 62) + TICK;
	check(4);
	assert_false(set[1]);
	assert_true(set[0]);
	now = UINT64_MAX;
	check(4);
	assert_false(set[0]);
	assert_int_equal(timers.count, 0);
}

static uint64_t some_time(struct filch__random *r)
{
	return filch__random_next(r) >> (20 + filch__random_below(r, 40));
}

static void at_random(void **state)
{
	struct filch__random r = filch__random_seed(test_seed());

	(void)state;
	for (size_t round = 0; round < test_scaled(40); round++) {
		begin(some_time(&r));
		for (size_t step = 0; step < 2000; step++) {
			size_t i = filch__random_below(&r, TIMERS);

			if (set[i] && filch__random_below(&r, 2)) {
				assert_true(filch__timer_unset(&timer[i]));
				set[i] = false;
			} else if (!set[i]) {
				set_timer(i, now + some_time(&r));
			}
			if (filch__random_below(&r, 8) == 0) {
				now += some_time(&r);
				check(1 + filch__random_below(&r, 64));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(far_away),
		cmocka_unit_test(at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
