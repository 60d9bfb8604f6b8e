/* SPDX-License-Identifier: MIT */
/* Hooks around fork(): which are called, in which order, and how often. */
#include "base/fork.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

static char called[64]; /* one letter per call, in the order of the calls */

static void note(char letter)
{
	size_t n = strlen(called);

	if (n + 1 < sizeof called)
		called[n] = letter;
}

/* Capital letters before the fork, small ones in the parent, digits in the child. */
#define HOOKS(name, upper, lower, digit)                                              \
	static void name##_before(void)                                               \
	{                                                                             \
		note(upper);                                                          \
	}                                                                             \
	static void name##_parent(void)                                               \
	{                                                                             \
		note(lower);                                                          \
	}                                                                             \
	static void name##_child(void)                                                \
	{                                                                             \
		note(digit);                                                          \
	}                                                                             \
	static struct filch__fork name = {name##_before, name##_parent, name##_child, \
	                                  NULL, 0}

HOOKS(first, 'A', 'a', '1');
HOOKS(second, 'B', 'b', '2');
HOOKS(third, 'C', 'c', '3');
static struct filch__fork silent;     /* has no functions at all */
static struct filch__fork child_only; /* has one of three */

static void only_in_child(void)
{
	note('+');
}

/* Forks once, and compares what was called on both sides. */
static void fork_calls(const char *in_parent, const char *in_child)
{
	int status;
	pid_t pid;

	memset(called, 0, sizeof called);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(strcmp(called, in_child) != 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_string_equal(called, in_parent);
}

static void last_before_and_first_after(void **state)
{
	(void)state;
	filch__fork_watch(&first);
	filch__fork_watch(&second);
	filch__fork_watch(&third);
	fork_calls("CBAabc", "CBA123");
	fork_calls("CBAabc", "CBA123"); /* every time */
}

static void watching_twice_counts_once(void **state)
{
	(void)state;
	filch__fork_watch(&first);
	filch__fork_watch(&third);
	filch__fork_watch(&second);
	fork_calls("CBAabc", "CBA123");
}

static void missing_functions(void **state)
{
	(void)state;
	child_only.child = only_in_child;
	filch__fork_watch(&silent);
	filch__fork_watch(&child_only);
	fork_calls("CBAabc", "CBA123+");
}

/* The child is a process like any other: its own forks call the same functions. */
static void forks_of_the_child(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		filch__fork_watch(&first);
		fork_calls("CBAabc", "CBA123+");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_before_and_first_after),
		cmocka_unit_test(watching_twice_counts_once),
		cmocka_unit_test(missing_functions),
		cmocka_unit_test(forks_of_the_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
