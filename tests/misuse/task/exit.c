/* SPDX-License-Identifier: MIT */
/*
 * Tasks that end their thread, a worker or a thread outside that is one while it waits: the
 * process ends with a sentence.
 */
#include <filch.h>
#include <filch/future.h>
#include <pthread.h>

#include "fiber/switch.h"
#include "tests/child.h"

#define EXITS                                                                          \
	"filch: pthread_exit: a task must not end its thread, which is a worker of a " \
	"pool; return from the task\n"

FILCH_STATIC_TASK(int, exits)
{
	pthread_exit(NULL);
}

static void exit_outside(void)
{
	FILCH_RUN(exits);
}

static void exit_on_a_worker(void)
{
	struct filch_future *f = FILCH_GO(exits);

	pause();
	FILCH_AWAIT(exits, f);
}

static void exits_end(void **state)
{
	(void)state;
	if (FILCH__ASAN || FILCH__TSAN)
		skip(); /* they do not bear it that a thread ends on a task's stack */
	ends_with(exit_outside, SIGABRT, EXITS);
	ends_with(exit_on_a_worker, SIGABRT, EXITS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(exits_end)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
