/* SPDX-License-Identifier: MIT */
/* A loop may move the workers that it calls; their affinity is as before afterwards. */
#include <filch.h>
#include <sched.h>
#include <string.h>

#include "base/atomic.h"
#include "sched/seat.h"
#include "tests/test.h"

static int spin(size_t begin, size_t end, void *context)
{
	uint64_t until = filch__now_ns() + 1000 * (end - begin);

	(void)context;
	while (filch__now_ns() < until)
		;
	return 0;
}

FILCH_STATIC_TASK_VOID(loops)
{
	for (int i = 0; i < 50; i++) {
		assert_int_equal(filch_for(0, 1000, spin, NULL), 0);
		filch_sleep(FILCH_MS);
	}
}

/* The processors that each worker may run on: every second worker has only the first. */
static void masks(struct filch_pool *pool, cpu_set_t *mask, bool set)
{
	for (uint32_t i = 0; i < pool->workers; i++)
		if (set)
			pthread_setaffinity_np(pool->seat[i].worker.thread.id,
			                       sizeof *mask, &mask[i]);
		else
			pthread_getaffinity_np(pool->seat[i].worker.thread.id,
			                       sizeof *mask, &mask[i]);
}

static void test_kept(void **state)
{
	struct filch_pool_options o = {.workers = 4};
	cpu_set_t before[4], after[4];
	struct filch_pool *pool;

	(void)state;
	memset(before, 0, sizeof before);
	memset(after, 0, sizeof after);
	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	masks(pool, before, false);
	for (int i = 0; i < 4; i += 2)
		for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++) {
			if (found)
				CPU_CLR((size_t)cpu, &before[i]);
			found |= CPU_ISSET((size_t)cpu, &before[i]);
		}
	masks(pool, before, true);
	for (int i = 0; i < 4; i++) {
		FILCH_RUN_ON(pool, loops);
		do { /* the worker that was called last is not asleep again at once */
			filch_sleep(10 * FILCH_MS);
			masks(pool, after, false);
		} while (memcmp(before, after, sizeof before));
	}
	assert_int_equal(filch_pool_destroy(pool), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
