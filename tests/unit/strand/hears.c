/* SPDX-License-Identifier: MIT */
/*
 * Spawns tell hungry workers nothing, but their joins hear of hunger: copies of the secret
 * say it, what is spawned then is still joined once, and a task is handed over without a
 * question.
 */
#include <filch.h>
#include <filch/pool.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "strand/hunger.h"
#include "tests/test.h"

static void copies(void **state)
{
	uint64_t one = 0x1230 | FILCH__LIVE, two = 0x4560 | FILCH__LIVE;

	(void)state;
	filch__hunger_hide(); /* no pool runs yet */
	filch__hunger_tell(&one);
	filch__hunger_tell(&two);
	filch__hunger_show();
	assert_true(filch__hunger_is_shown());
	assert_int_equal(one, 0x1230 | FILCH__HEARD);
	assert_int_equal(two, 0x4560 | FILCH__HEARD);
	assert_int_equal(filch__secret & 15, FILCH__HEARD);
	filch__hunger_tell_no_more(&one);
	filch__hunger_hide();
	assert_false(filch__hunger_is_shown());
	assert_int_equal(one, 0x1230 | FILCH__HEARD); /* not written any longer */
	assert_int_equal(two, 0x4560 | FILCH__LIVE);
	assert_int_equal(filch__secret & 15, FILCH__LIVE);
	filch__hunger_tell_no_more(&two);
}

FILCH_STATIC_TASK(long, fib, (long, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* Outside a pool nothing is shared, whatever spawns are told. */
static void outside(void **state)
{
	(void)state;
	while (!filch__hunger_is_shown()) /* not too soon after the last change */
		filch__hunger_show();
	assert_int_equal(fib(15), 610);
	assert_false(filch__hunger_is_shown()); /* the first join has heard */
}

FILCH_STATIC_TASK_VOID(set, (struct filch_event *, e))
{
	filch_event_set(e);
}

/* Joins small tasks until another worker has run one that is not joined yet. */
FILCH_STATIC_TASK(long, until_heard)
{
	struct filch_event ran = FILCH_EVENT_INIT;
	long sum = 0;

	FILCH_SPAWN(x, set, &ran);
	while (!filch_event_is_set(&ran))
		sum += FILCH_CALL(fib, 12);
	FILCH_JOIN(x);
	return sum;
}

/* With signals left out, only joins can have handed the task over: the pool's workers have
 * slept before, and again and again in between. */
static void by_joins_alone(void **state)
{
	struct filch_pool_options o = {.workers = 2, .ask = "poll"};
	struct filch_pool *p;
	long sum = 0;

	(void)state;
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	for (int i = 0; i < 20; i++)
		sum += FILCH_RUN_ON(p, until_heard);
	assert_int_equal(sum % 144, 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* Counts the rounds in which a task was taken from a worker that was not asked. */
static void without_a_question(void **state)
{
	struct filch_pool_options o = {.workers = 2, .ask = "signal"};
	struct filch_stats before, after = {0};
	struct filch_pool *p;
	int unasked = 0;

	(void)state;
	if (FILCH__TSAN)
		skip(); /* it holds signals back, and so has the questions */
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	while (!unasked) { /* a worker that hears nothing never ends this */
		before = after;
		FILCH_RUN_ON(p, until_heard);
		assert_int_equal(filch_pool_stats(p, -1, &after), 0);
		unasked += after.stolen > before.stolen && after.asked == before.asked;
	}
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies),
		cmocka_unit_test(outside),
		cmocka_unit_test(by_joins_alone),
		cmocka_unit_test(without_a_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
