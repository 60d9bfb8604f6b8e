/* SPDX-License-Identifier: MIT */
/*
 * With FILCH_EAGER, thieves see the tasks of a group as soon as they are spawned: another
 * worker runs them while the spawner computes, without a join, a wait or a signal. The pool
 * asks by polling, which a spawner that never joins does not answer.
 *
 * There is no time limit here; if a task stays hidden, the test hangs and CTest ends it.
 */
#define FILCH_EAGER 1
#include <filch.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "tests/test.h"

FILCH_STATIC_TASK_VOID(tick, (_Atomic(unsigned) *, ran))
{
	add_rel(ran, 1); /* seen by the spawner */
}

static void compute_until(_Atomic(unsigned) *ran, unsigned want)
{
	while (load_acq(ran) < want) /* pairs with tick() */
		filch__relax();
}

/* Spawns all tasks, or each one after the one before it was run. */
FILCH_STATIC_TASK(int, spawner, (unsigned, tasks), (int, one_by_one))
{
	_Atomic(unsigned) ran;
	struct filch_group g;

	atomic_init(&ran, 0);
	filch_group_begin(&g);
	for (unsigned i = 0; i < tasks; i++) {
		FILCH_GROUP_SPAWN(&g, tick, &ran);
		if (one_by_one)
			compute_until(&ran, i + 1);
	}
	compute_until(&ran, tasks);
	return filch_group_wait(&g);
}

static void run(unsigned workers, unsigned tasks, bool one_by_one)
{
	struct filch_pool_options o = {.workers = workers, .ask = "poll"};
	struct filch_pool *pool;

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	for (size_t i = 0; i < test_scaled(40); i++) {
		if (i % 4 == 0)
			filch_sleep(2 * FILCH_MS); /* so that the workers sleep */
		assert_int_equal(FILCH_RUN_ON(pool, spawner, tasks, one_by_one), 0);
	}
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void one_task(void **state)
{
	(void)state;
	run(2, 1, false);
}

static void several_tasks(void **state)
{
	(void)state;
	run(2, 6, false);
	run(8, 6, false);
}

static void one_after_the_other(void **state)
{
	(void)state;
	run(2, 6, true);
	run(8, 6, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_task),
		cmocka_unit_test(several_tasks),
		cmocka_unit_test(one_after_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
