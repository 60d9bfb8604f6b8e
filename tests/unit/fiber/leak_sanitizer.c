/* SPDX-License-Identifier: MIT */
/*
 * Under LeakSanitizer: what only a strand that waits points to is no leak, and neither is
 * its future; what nobody points to is one. In other builds there is nothing to ask.
 */
#include <filch.h>
#include <filch/future.h>
#include <filch/sync.h>
#include <sched.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "tests/test.h"

extern __attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

enum { strands = 100 };
static struct filch_event go_on = FILCH_EVENT_INIT;
static _Atomic(int) waiting, ended;

/* The pointer is on this stack and nowhere else. */
FILCH_STATIC_TASK_VOID(hold)
{
	int *volatile held = malloc(sizeof *held);

	add_rlx(&waiting, 1); /* a count */
	filch_event_wait(&go_on);
	free(held);
	add_rlx(&ended, 1); /* a count */
}

static void wait_for(_Atomic(int) *count)
{
	while (load_rlx(count) < strands) /* a look */
		sched_yield();
}

static void test_held(void **state)
{
	struct filch_future *f;

	(void)state;
	if (!__lsan_do_recoverable_leak_check)
		skip();
	for (int i = 0; i < strands; i++) {
		f = FILCH_GO(hold);
		assert_non_null(f);
		filch_future_drop(f);
	}
	wait_for(&waiting);
	assert_false(__lsan_do_recoverable_leak_check());
	filch_event_set(&go_on);
	wait_for(&ended);
	assert_false(__lsan_do_recoverable_leak_check());
}

/* Only the complement of each pointer is kept, which points nowhere. */
static __attribute__((noinline)) void lose(uintptr_t *hidden)
{
	for (int i = 0; i < strands; i++)
		hidden[i] = ~(uintptr_t)malloc(100);
}

static void test_lost(void **state)
{
	static uintptr_t hidden[strands];

	(void)state;
	if (!__lsan_do_recoverable_leak_check)
		skip();
	lose(hidden);
	assert_true(__lsan_do_recoverable_leak_check());
	for (int i = 0; i < strands; i++)
		free((void *)~hidden[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
