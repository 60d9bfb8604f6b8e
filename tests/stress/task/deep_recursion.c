/* SPDX-License-Identifier: MIT */
/*
 * A spine of one million frames, each with a spawned leaf: with a stack of 1 GiB the sum is
 * right, at 1, 2 and 8 workers; with a small one the process ends with a message that
 * names the task.
 */
#include <filch.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fiber/switch.h"
#include "tests/test.h"

/* ThreadSanitizer notes every frame, in a table of 64 Ki. */
#define DEPTH (FILCH__TSAN ? 8000 : 1000000)

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	return n;
}

FILCH_STATIC_TASK(long, spine, (long, n))
{
	long sum;

	if (n == 0)
		return 0;
	FILCH_SPAWN(x, leaf, n);
	sum = FILCH_CALL(spine, n - 1);
	return sum + FILCH_JOIN(x);
}

/* The recursion itself is what is spawned. */
FILCH_STATIC_TASK(long, stairs, (long, n))
{
	if (n == 0)
		return 0;
	FILCH_SPAWN(x, stairs, n - 1);
	return n + FILCH_JOIN(x);
}

static const long expected = (long)DEPTH * (DEPTH + 1) / 2;

static struct filch_pool *pool_of(unsigned workers, size_t stack_size)
{
	struct filch_pool_options o = {.workers = workers, .stack_size = stack_size};
	struct filch_pool *p;

	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	return p;
}

static void deep_spine(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		struct filch_pool *p = pool_of(workers, (size_t)1 << 30);

		for (int i = 0; i < 3; i++)
			assert_int_equal(FILCH_RUN_ON(p, spine, DEPTH), expected);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

static void deep_stairs(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct filch_pool *p = pool_of(workers, (size_t)1 << 30);

		assert_int_equal(FILCH_RUN_ON(p, stairs, DEPTH), expected);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* In a child process: too deep for this stack. */
static void overflow(unsigned workers)
{
	struct rlimit none = {0, 0};
	struct filch_pool *p = pool_of(workers, (size_t)1 << 20);

	setrlimit(RLIMIT_CORE, &none);
	_exit(FILCH_RUN_ON(p, spine, 10000000) == 0);
}

static void small_stack(void **state)
{
	(void)state;
	if (FILCH__TSAN)
		skip(); /* the stack may end within TSan, which holds its locks then */
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		char says[512] = "";
		size_t n = 0;
		ssize_t got;
		int status, ends[2];
		pid_t pid;

		assert_int_equal(pipe(ends), 0);
		pid = fork();
		if (!pid) {
			dup2(ends[1], STDERR_FILENO);
			overflow(workers);
		}
		close(ends[1]);
		while ((got = read(ends[0], says + n, sizeof says - 1 - n)) > 0)
			n += (size_t)got;
		close(ends[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_non_null(strstr(says, "filch: stack overflow in task 'spine'"));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGSEGV);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_stack),
		cmocka_unit_test(deep_spine),
		cmocka_unit_test(deep_stairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
