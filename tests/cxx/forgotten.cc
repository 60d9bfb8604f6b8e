// SPDX-License-Identifier: MIT
// What C++ finds when a scope is left: a group that was begun and not waited for, and,
// with FILCH_DEBUG, a task that was spawned and not joined. An exception may leave the
// scopes of both: the group is cancelled and waited for.
#define FILCH_DEBUG 1
#include <filch.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static std::atomic<int> begun, ended;

FILCH_STATIC_TASK_VOID(work)
{
	begun++;
	filch_sleep(FILCH_MS);
	ended++;
}

FILCH_STATIC_TASK_VOID(forgets_group)
{
	{
		struct filch_group g;

		filch_group_begin(&g);
		FILCH_GROUP_SPAWN(&g, work);
	}
	std::fprintf(stderr, "not found\n");
}

FILCH_STATIC_TASK_VOID(forgets_spawn, (bool, really))
{
	FILCH_SPAWN(x, work);
	if (really)
		return;
	FILCH_JOIN(x);
}

static void throw_past_group()
{
	struct filch_group g;
	int before = begun;

	filch_group_begin(&g);
	for (int i = 0; i < 10; i++)
		FILCH_GROUP_SPAWN(&g, work);
	while (begun == before)
		filch_sleep(FILCH_MS / 10); // gives one of them away
	throw 7;
}

FILCH_STATIC_TASK(int, catches, (int, n))
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		try {
			FILCH_SPAWN(x, work);
			throw_past_group();
			FILCH_JOIN(x);
		} catch (int thrown) {
			sum += thrown;
		}
		if (begun != ended)
			return -1;
	}
	return sum;
}

static int failed;

static void check(bool good, const char *what)
{
	if (good)
		return;
	std::fprintf(stderr, "wrong: %s\n", what);
	failed = 1;
}

// fn() ends a child of this process by abort(), and says this first.
template <class F> static void ends_with(F fn, const char *text)
{
	char says[4096] = "";
	int ends[2], status = 0;
	ssize_t got;
	std::size_t n = 0;
	pid_t pid;

	if (pipe(ends))
		std::exit(1);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		fn();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], says + n, sizeof says - 1 - n)) > 0)
		n += static_cast<std::size_t>(got);
	close(ends[0]);
	waitpid(pid, &status, 0);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "how it ends");
	check(!std::strncmp(says, text, std::strlen(text)), text);
}

int main()
{
	ends_with([] { FILCH_RUN(forgets_group); },
	          "filch: filch_group_begin: a function returned with a group that it "
	          "had begun and never waited for");
	ends_with([] { FILCH_RUN(forgets_spawn, true); },
	          "filch: FILCH_SPAWN: task 'work' was spawned and not joined");
	FILCH_RUN(forgets_spawn, false);
	check(FILCH_RUN(catches, 20) == 140, "an exception leaves a group");
	return failed;
}
