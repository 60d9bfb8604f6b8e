/* SPDX-License-Identifier: MIT */
/*
 * Tasks that a strand has spawned before it waits are run meanwhile: by its own worker,
 * or by others while that one is busy with something that lasts longer.
 */
#include <filch.h>
#include <stdatomic.h>

#include "tests/test.h"

static struct filch_pool *pool;
static _Atomic(unsigned) told;

static void open_pool(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

FILCH_STATIC_TASK(unsigned, tells, (struct filch_event *, e))
{
	atomic_fetch_add(&told, 1);
	filch_event_set(e);
	return 1;
}

/* Nobody but its own children can end its waits. */
FILCH_STATIC_TASK(unsigned, waits, (unsigned, depth))
{
	struct filch_event e = FILCH_EVENT_INIT, f = FILCH_EVENT_INIT;
	unsigned n = 0;

	FILCH_SPAWN(x, tells, &e);
	FILCH_SPAWN(y, tells, &f);
	if (depth)
		n = FILCH_CALL(waits, depth - 1);
	filch_event_wait(&f);
	filch_event_wait(&e);
	n += FILCH_JOIN(y);
	return n + FILCH_JOIN(x);
}

FILCH_STATIC_TASK_VOID(waits_once, (unsigned, depth))
{
	waits(depth);
}

/* Keeps a worker until all have told. */
FILCH_STATIC_TASK_VOID(spins, (unsigned, until))
{
	while (atomic_load(&told) < until)
		;
}

FILCH_STATIC_TASK_VOID(all_wait, (unsigned, strands), (unsigned, depth),
                       (unsigned, spinners))
{
	struct filch_group g;

	atomic_store(&told, 0);
	filch_group_begin(&g);
	for (unsigned i = 0; i < spinners; i++)
		FILCH_GROUP_SPAWN(&g, spins, strands * 2 * (depth + 1));
	for (unsigned i = 0; i < strands; i++)
		FILCH_GROUP_SPAWN(&g, waits_once, depth);
	filch_group_wait(&g);
}

/* Waits for a task of a group, which only its strand knows of. */
FILCH_STATIC_TASK(unsigned, waits_for_group)
{
	struct filch_event e = FILCH_EVENT_INIT;
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, tells, &e);
	filch_event_wait(&e);
	filch_group_wait(&g);
	return 1;
}

/* Waits, hiding one that comes to wait itself. */
FILCH_STATIC_TASK(unsigned, hides_one)
{
	FILCH_SPAWN(x, waits_for_group);
	filch_sleep(FILCH_MS);
	return FILCH_JOIN(x);
}

static void one_strand(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		open_pool(workers);
		for (unsigned depth = 0; depth < 20; depth++)
			assert_int_equal(FILCH_RUN_ON(pool, waits, depth),
			                 2 * (depth + 1));
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void found_on_a_shelf(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		open_pool(workers);
		assert_int_equal(FILCH_RUN_ON(pool, hides_one), 1);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void many_strands(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		open_pool(workers);
		for (unsigned round = 0; round < test_scaled(100); round++) {
			FILCH_RUN_ON(pool, all_wait, 20, 3, 0);
			assert_int_equal(atomic_load(&told), 160);
		}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void busy_workers(void **state)
{
	(void)state;
	for (unsigned workers = 2; workers <= 4; workers++) {
		open_pool(workers);
		for (unsigned round = 0; round < test_scaled(20); round++) {
			FILCH_RUN_ON(pool, all_wait, 4, 2, workers - 1);
			assert_int_equal(atomic_load(&told), 24);
		}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_strand),
		cmocka_unit_test(found_on_a_shelf),
		cmocka_unit_test(many_strands),
		cmocka_unit_test(busy_workers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
