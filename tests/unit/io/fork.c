/* SPDX-License-Identifier: MIT */
/* A child of fork() closes the descriptors that it inherited; its parent is still woken. */
#include <pthread.h>
#include <sys/wait.h>

#include "tests/io.h"

static int inherited[2];

static void *fork_and_write(void *arg)
{
	int status;
	pid_t pid;

	filch_sleep(5 * FILCH_MS); /* the strand waits, as a rule */
	pid = fork();
	if (!pid)
		_exit(filch_close(inherited[0]) || filch_close(inherited[1]));
	CHECK_IS(waitpid(pid, &status, 0), pid);
	CHECK_IS(status, 0);
	CHECK_IS(write(inherited[1], "x", 1), 1);
	return arg;
}

FILCH_STATIC_TASK_VOID(reads, (int, fd))
{
	char c;

	CHECK_IS(filch_read_until(fd, &c, 1, filch_after(60 * FILCH_S)), 1);
}

static void run_all(void)
{
	for (int kind = 0; kind < PAIRS; kind++) {
		pthread_t t;

		test_pair(kind, inherited);
		pthread_create(&t, NULL, fork_and_write, NULL);
		FILCH_RUN_ON(pool, reads, inherited[0]);
		pthread_join(t, NULL);
		filch_close(inherited[0]);
		filch_close(inherited[1]);
	}
}

static void test_children(void **state)
{
	(void)state;
	test_each_io(run_all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_children)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
