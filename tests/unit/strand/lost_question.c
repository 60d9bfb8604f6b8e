/* SPDX-License-Identifier: MIT */
/*
 * The signal that asks a worker for tasks can be lost: the program ignores it for a moment,
 * or debuggers and emulators swallow it. The worker is asked again.
 */
#include <filch.h>
#include <signal.h>
#include <time.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "tests/test.h"

static _Atomic(int) started;

FILCH_STATIC_TASK_VOID(starts)
{
	add_rlx(&started, 1); /* counted */
}

static void swap_handler(int number, const struct sigaction *with,
                         struct sigaction *before)
{
	assert_int_equal(sigaction(number, with, before), 0);
}

static void pass(long ns)
{
	struct timespec t = {0, ns};

	nanosleep(&t, NULL);
}

/* Computes with its task unjoined until some other worker has begun that, and ignores the
 * signal at first. */
FILCH_STATIC_TASK_VOID(deaf_at_first, (int, number))
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int had = load_rlx(&started); /* counted */

	swap_handler(number, &ignore, &before);
	FILCH_SPAWN(part, starts);
	pass(30 * 1000 * 1000); /* the worker is asked, and does not hear */
	swap_handler(number, &before, NULL);
	while (load_rlx(&started) == had) /* polled */
		pass(100 * 1000);
	FILCH_JOIN(part);
}

static void asked_again(void **state)
{
	struct filch_pool_options o = {.workers = 2, .ask = "signal", .signal = SIGUSR1};
	struct filch_pool *p;

	(void)state;
	if (FILCH__TSAN)
		skip(); /* it holds signals back */
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	for (int i = 0; i < 5; i++)
		FILCH_RUN_ON(p, deaf_at_first, SIGUSR1);
	assert_int_equal(load_rlx(&started), 5); /* all are joined */
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asked_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
