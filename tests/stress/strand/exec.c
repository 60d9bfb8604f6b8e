/* SPDX-License-Identifier: MIT */
/*
 * Tasks that become another program while they are asked for what they hide: the question
 * does not end that program.
 */
#include <filch.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

FILCH_STATIC_TASK_VOID(nothing)
{
}

/* Lets the other worker become hungry, and ask at some moment of the call. */
FILCH_STATIC_TASK_VOID(becomes_another, (unsigned, spins))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, nothing);
	filch_sleep(FILCH_MS);
	for (volatile unsigned i = 0; i < spins; i++)
		;
	execl("/bin/true", "true", (char *)NULL);
	_exit(127);
}

static void run_and_become(unsigned spins)
{
	struct filch_pool_options o = {.workers = 4, .ask = "signal", .signal = SIGURG};
	struct filch_pool *p;

	signal(SIGURG, SIG_DFL); /* the default signal, whatever was inherited */
	if (filch_pool_create(&p, &o, NULL))
		_exit(126);
	FILCH_RUN_ON(p, becomes_another, spins);
}

static void execs(void **state)
{
	unsigned killed = 0, rounds = (unsigned)test_scaled(100);

	(void)state;
	for (unsigned i = 0; i < rounds; i++) {
		pid_t pid = fork();
		int status;

		if (!pid)
			run_and_become(i * 997 % 100000);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
			skip(); /* this build or machine has only polling */
		killed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	}
	assert_int_equal(killed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(execs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
