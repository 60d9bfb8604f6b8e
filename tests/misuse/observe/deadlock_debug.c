/* SPDX-License-Identifier: MIT */
/* A program that is compiled with FILCH_DEBUG has its deadlocks reported without asking. */
#define FILCH_DEBUG
#include <filch.h>
#include <filch/sync.h>

#include "fiber/switch.h"
#include "tests/child.h"

FILCH_STATIC_TASK_VOID(waits_for_nobody)
{
	struct filch_event never = {0};

	filch_event_wait(&never);
}

static void stuck(void)
{
	unsetenv("FILCH_DEADLOCKS");
	FILCH_RUN(waits_for_nobody);
}

static void reported(void **state)
{
	(void)state;
	/* There are no threads in the child of a fork, or none of ThreadSanitizer's,
	 * which is counted. */
	if (TEST_EMULATED || FILCH__TSAN)
		skip();
	ends_with(stuck, SIGABRT,
	          "filch: deadlock: each of these strands waits for another, and nothing "
	          "is "
	          "left that could wake one:\n  task 'waits_for_nobody' waits for an "
	          "event\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reported)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
