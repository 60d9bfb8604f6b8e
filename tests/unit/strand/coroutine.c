/* SPDX-License-Identifier: MIT */
/*
 * A coroutine of the user's, on a stack of its own, waits in Filch: a hungry worker does not
 * look for tasks between that stack and the strand's, and finds those that the strand
 * spawned before.
 */
#include <filch.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "fiber/switch.h"
#include "tests/test.h"

#define BYTES ((size_t)256 << 10)

static ucontext_t task, coroutine;

static struct filch_event set, other;
static bool waits_for_a_group;

FILCH_STATIC_TASK(int, sets)
{
	filch_event_set(&set);
	return 7;
}

FILCH_STATIC_TASK_VOID(sets_other)
{
	filch_event_wait(&set);
	filch_event_set(&other);
}

/* Ends only if another strand runs the task that was spawned before. */
static void waits(void)
{
	struct filch_group g;

	filch_event_wait(&set);
	if (!waits_for_a_group)
		return;
	filch_event_reset(&set);
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, sets_other);
	filch_event_set(&set);
	filch_group_wait(&g);
	filch_event_wait(&other);
}

FILCH_STATIC_TASK(int, has_a_coroutine, (char *, stack))
{
	FILCH_SPAWN(part, sets);
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = BYTES;
	coroutine.uc_link = &task;
	makecontext(&coroutine, waits, 0);
	swapcontext(&task, &coroutine);
	return FILCH_JOIN(part);
}

static void check_on(char *stack)
{
	for (unsigned workers = 1; workers <= 3; workers++) {
		struct filch_pool_options o = {.workers = workers};
		struct filch_pool *p;

		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		for (int i = 0; i < 2; i++) {
			set = other = (struct filch_event)FILCH_EVENT_INIT;
			waits_for_a_group = i;
			assert_int_equal(FILCH_RUN_ON(p, has_a_coroutine, stack), 7);
		}
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* Below all strands, with memory between that nobody may read; and above most. */
static void waits_in_filch(void **state)
{
	static char below[BYTES];
	char *above = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	if (FILCH__ASAN || FILCH__TSAN)
		skip(); /* they must be told of each switch of stacks */
	assert_true(above != MAP_FAILED);
	check_on(below);
	check_on(above);
	munmap(above, BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_in_filch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
