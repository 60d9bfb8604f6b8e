/* SPDX-License-Identifier: MIT */
/*
 * A spawner that neither spawns nor joins for long: what it has spawned is run by another
 * worker meanwhile. The leaf ends when it sees that, or after 5 s.
 */
#include <filch.h>
#include <time.h>

#include "base/atomic.h"
#include "base/quota.h"
#include "fiber/switch.h"
#include "tests/test.h"

#define DEEP 6
#define LONGEST_NS 5000000000u

FILCH_STATIC_TASK_VOID(tick, (_Atomic(unsigned) *, ran))
{
	add_rel(ran, 1); /* seen by the leaf */
}

static bool leaf(_Atomic(unsigned) *ran, unsigned want)
{
	uint64_t end = filch__now_ns() + LONGEST_NS;

	while (load_acq(ran) < want && filch__now_ns() < end) /* made by tick() */
		;
	return load_acq(ran) >= want; /* as above */
}

/* `depth` frames with one spawned task each, and the leaf below them. */
FILCH_STATIC_TASK(bool, hold, (_Atomic(unsigned) *, ran), (unsigned, depth),
                  (unsigned, want))
{
	bool seen;

	if (!depth)
		return leaf(ran, want);
	FILCH_SPAWN(x, tick, ran);
	seen = FILCH_CALL(hold, ran, depth - 1, want);
	FILCH_JOIN(x);
	return seen;
}

/* The same with tasks of a group. */
FILCH_STATIC_TASK(bool, hold_group, (_Atomic(unsigned) *, ran), (unsigned, want))
{
	struct filch_group g;
	bool seen;

	filch_group_begin(&g);
	for (unsigned i = 0; i < want; i++)
		FILCH_GROUP_SPAWN(&g, tick, ran);
	seen = leaf(ran, want);
	filch_group_wait(&g);
	return seen;
}

static void doze(struct filch__random *random)
{
	struct timespec t = {0, (long)filch__random_below(random, 4000000)};

	nanosleep(&t, NULL);
}

static unsigned processors(void)
{
	struct filch__cpus c;

	return filch__cpus_read(&c, "") ? 1 : filch__cpus_usable(&c);
}

/* So many tasks, of as many frames or of one group. */
static void run(unsigned workers, unsigned tasks, bool group)
{
	struct filch__random random = filch__random_seed(test_seed() + workers);
	struct filch_pool_options o = {.workers = workers, .ask = "signal"};
	struct filch_pool *p;

	/* Nobody asks when every processor is taken. */
	if (processors() < 2 || FILCH__TSAN)
		skip();
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	for (size_t i = 0; i < test_scaled(100); i++) {
		_Atomic(unsigned) ran;

		atomic_init(&ran, 0);
		if (i & 1) /* the others are asleep */
			doze(&random);
		assert_true(group ? FILCH_RUN_ON(p, hold_group, &ran, tasks)
		                  : FILCH_RUN_ON(p, hold, &ran, tasks, tasks));
	}
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void one_task(void **state)
{
	(void)state;
	run(2, 1, false);
}

static void tasks_of_many_frames(void **state)
{
	(void)state;
	run(2, DEEP, false);
}

static void more_workers(void **state)
{
	(void)state;
	run(8, DEEP, false);
}

static void tasks_of_a_group(void **state)
{
	(void)state;
	run(2, DEEP, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_task),
		cmocka_unit_test(tasks_of_many_frames),
		cmocka_unit_test(more_workers),
		cmocka_unit_test(tasks_of_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
