/* SPDX-License-Identifier: MIT */
/*
 * A frame that is larger than the stack, or than what is left of it, ends the process with
 * a message that names the task, and does not reach over the guard into another stack. So
 * it is with the flag that the package gives (-fstack-clash-protection), which this test
 * is compiled with.
 */
#include <filch.h>

#include "tests/child.h"

#define STACK ((size_t)1 << 20)

#define SAYS(task)                                                              \
	"filch: stack overflow in task '" task "', or in what it calls; raise " \
	"FILCH_STACK_SIZE or filch_pool_options.stack_size\n"

/* A neighbour, so that the memory beyond the guard is a stack. */
FILCH_STATIC_TASK_VOID(neighbour, (struct filch_event *, end))
{
	filch_event_wait(end);
}

/* Has the compiler think that the whole array is needed. */
static void keep(volatile char *array)
{
	__asm__ volatile("" : : "r"(array) : "memory");
}

/* As large as a stack and its guard. */
FILCH_STATIC_TASK(int, just_over)
{
	volatile char much[1100000];

	keep(much);
	much[0] = 1;
	return much[0];
}

FILCH_STATIC_TASK(int, far_over)
{
	volatile char much[5 << 20];

	keep(much);
	much[0] = 1;
	return much[0];
}

/* On a pool whose stacks lie side by side, so that a frame that steps over the guard ends
 * up in one of them. */
static struct filch_pool *crowded(void)
{
	static struct filch_event never = FILCH_EVENT_INIT;
	struct filch_pool_options o = {.workers = 1, .stack_size = STACK};
	struct filch_pool *p;

	if (filch_pool_create(&p, &o, NULL))
		_exit(1);
	for (int i = 0; i < 12; i++)
		filch_future_drop(FILCH_GO_ON(p, neighbour, &never));
	return p;
}

static void run_just_over(void)
{
	FILCH_RUN_ON(crowded(), just_over);
}

static void run_far_over(void)
{
	FILCH_RUN_ON(crowded(), far_over);
}

static void go_just_over(void)
{
	filch_await(FILCH_GO_ON(crowded(), just_over));
}

static void go_far_over(void)
{
	filch_await(FILCH_GO_ON(crowded(), far_over));
}

static void in_a_root(void **state)
{
	(void)state;
	ends_with(run_just_over, SIGSEGV, SAYS("just_over"));
	ends_with(run_far_over, SIGSEGV, SAYS("far_over"));
}

static void in_a_future(void **state)
{
	(void)state;
	ends_with(go_just_over, SIGSEGV, SAYS("just_over"));
	ends_with(go_far_over, SIGSEGV, SAYS("far_over"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_a_root),
		cmocka_unit_test(in_a_future),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
