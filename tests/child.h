/* SPDX-License-Identifier: MIT */
/*
 * Children of a test that end badly, as they should.
 */
#ifndef FILCH_TESTS_CHILD_H
#define FILCH_TESTS_CHILD_H

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

/* What a child has run counts, too (tools/coverage), even if it never gets to exit(). */
#ifdef FILCH_COVERAGE
void __gcov_dump(void);

static void keep_counts(int number)
{
	__gcov_dump();
	signal(number, SIG_DFL);
	raise(number); /* as soon as this returns */
}
#else
#define keep_counts SIG_DFL
#endif

static void be_child(void (*fn)(void), int err)
{
	struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	dup2(err, STDERR_FILENO);
	signal(SIGABRT, keep_counts);
	fn();
	_exit(0);
}

/* fn() ends the process by this signal, and this text is the first thing on standard
 * error (an emulator says something, too). */
static void ends_with(void (*fn)(void), int signal, const char *text)
{
	char says[8192] = "";
	size_t n = 0;
	ssize_t got;
	int status, ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid)
		be_child(fn, ends[1]);
	close(ends[1]);
	while ((got = read(ends[0], says + n, sizeof says - 1 - n)) > 0)
		n += (size_t)got;
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (strncmp(says, text, strlen(text)) != 0)
		fail_msg("The child was to say \"%s\". It said:\n%s", text, says);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal);
}

#endif
