/* SPDX-License-Identifier: MIT */
/*
 * ThreadSanitizer finds two tasks that write the same variable, in every run, whether or
 * not a worker has stolen one of them; and it says nothing of tasks that are ordered. The
 * program runs itself as a child for each kind of race, and looks for TSan's words.
 */
#include <filch/for.h>
#include <filch/future.h>
#include <filch/group.h>
#include <filch/reduce.h>
#include <filch/task.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fiber/switch.h"
#include "tests/test.h"

#define RUNS 3

static long shared, apart[100000];

FILCH_TASK_VOID(bump)
{
	shared++;
}

/* ---- races ---- */

FILCH_TASK_VOID(two)
{
	FILCH_SPAWN(a, bump);
	FILCH_SPAWN(b, bump);
	FILCH_JOIN(b);
	FILCH_JOIN(a);
}

FILCH_TASK_VOID(spawner)
{
	FILCH_SPAWN(a, bump);
	shared++;
	FILCH_JOIN(a);
}

FILCH_TASK_VOID(tree, (int, n))
{
	if (!n) {
		bump();
		return;
	}
	FILCH_SPAWN(a, tree, n - 1);
	tree(n - 1);
	FILCH_JOIN(a);
}

FILCH_TASK_VOID(deep)
{
	tree(5);
}

FILCH_TASK_VOID(group)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, bump);
	FILCH_GROUP_SPAWN(&g, bump);
	filch_group_wait(&g);
}

FILCH_TASK_VOID(future)
{
	struct filch_future *a = FILCH_GO(bump), *b = FILCH_GO(bump);

	filch_await(a);
	filch_await(b);
	filch_future_drop(a);
	filch_future_drop(b);
}

static int body(size_t begin, size_t end, void *context)
{
	(void)context;
	for (; begin < end; begin++)
		shared++;
	return 0;
}

FILCH_TASK_VOID(loop)
{
	filch_for(0, 100, body, NULL);
}

static int leaf(size_t begin, size_t end, void *result, void *context)
{
	*(long *)result += (long)(end - begin);
	return body(begin, end, context);
}

static void add(void *left, const void *right, void *context)
{
	(void)context;
	*(long *)left += *(const long *)right;
}

FILCH_TASK_VOID(reduction)
{
	long sum = 0;

	filch_reduce(0, 100, &sum, sizeof sum, leaf, add, NULL);
}

/* ---- none ---- */

static int keep_apart(size_t begin, size_t end, void *context)
{
	(void)context;
	for (; begin < end; begin++)
		apart[begin]++;
	return 0;
}

/* Frames of tasks and of their spawner come to lie at the same addresses. */
static __attribute__((noinline)) int use_stack(int n)
{
	volatile int there[64];

	memset((void *)there, n, sizeof there);
	return there[n % 64];
}

FILCH_TASK(long, fib, (int, n))
{
	long sum;

	use_stack(n);
	if (n < 2)
		return n;
	FILCH_SPAWN(a, fib, n - 1);
	sum = fib(n - 2);
	use_stack(n);
	return sum + FILCH_JOIN(a);
}

FILCH_TASK_VOID(one_after_the_other)
{
	for (int i = 0; i < 3; i++) {
		FILCH_SPAWN(a, bump);
		FILCH_JOIN(a);
		shared++;
	}
	if (fib(15) != 610 || filch_for(0, 100000, keep_apart, NULL))
		abort();
}

static void run(const char *kind)
{
#define KIND(name)                \
	if (!strcmp(kind, #name)) \
	FILCH_RUN(name)
	KIND(two);
	KIND(spawner);
	KIND(deep);
	KIND(group);
	KIND(future);
	KIND(loop);
	KIND(reduction);
	KIND(one_after_the_other);
}

/* ---- the other side ---- */

/* Runs the program as a child; `says` is what it has said. */
static int child(const char *kind, const char *workers, char *says, size_t size)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		setenv("FILCH_WORKERS", workers, 1);
		setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1);
		execl("/proc/self/exe", "races", kind, (char *)NULL);
		_exit(99);
	}
	close(ends[1]);
	while (n + 1 < size && (got = read(ends[0], says + n, size - 1 - n)) > 0)
		n += (size_t)got;
	says[n] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void check(const char *kind, bool races)
{
	static const char *const workers[] = {"1", "2"};
	static char says[1 << 16];

	for (size_t w = 0; w < 2; w++)
		for (int i = 0; i < RUNS; i++) {
			int status = child(kind, workers[w], says, sizeof says);

			if (!!strstr(says, "data race") != races)
				fail_msg("%s on %s workers, run %d: %s; it said: %s",
				         kind, workers[w], i,
				         races ? "no race" : "a race", says);
			assert_true(races || (WIFEXITED(status) && !WEXITSTATUS(status)));
		}
}

static void test_races(void **state)
{
	static const char *const kinds[] = {"two",    "spawner", "deep",     "group",
	                                    "future", "loop",    "reduction"};

	(void)state;
	if (!FILCH__TSAN)
		skip(); /* nobody looks for races */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		check(kinds[i], true);
}

static void test_none(void **state)
{
	(void)state;
	if (!FILCH__TSAN)
		skip(); /* as above */
	check("one_after_the_other", false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_races),
		cmocka_unit_test(test_none),
	};

	if (argc == 2) {
		run(argv[1]);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
