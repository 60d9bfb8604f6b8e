/* SPDX-License-Identifier: MIT */
/*
 * The program's own signals. Programs that a task starts, whichever way, have the signal
 * mask of the thread that made the pool; and workers take the program's signals like any
 * thread, in the midst of whatever they do.
 */
#include <errno.h>
#include <filch.h>
#include <filch/io.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/together.h"

extern char **environ;

static const char show[] = "exec cat /proc/self/status"; /* an own mask is in there */
static const char die[] = "kill -TERM $$";

/* ---- the mask of a child ---- */

/* Returns the mask that a file such as /proc/self/status tells; 1 if it tells none. */
static uint64_t mask_in(FILE *f)
{
	uint64_t mask = 1;
	char line[256];

	while (fgets(line, sizeof line, f))
		if (!strncmp(line, "SigBlk:", 7))
			mask = strtoull(line + 7, NULL, 16);
	return mask;
}

static uint64_t own_mask(void)
{
	FILE *f = fopen("/proc/thread-self/status", "r");
	uint64_t mask = mask_in(f);

	fclose(f);
	return mask;
}

enum way { BY_SPAWN, BY_FORK, BY_VFORK, BY_POPEN, BY_BLOCKING, WAYS };

static pid_t start(enum way way, const char *command, int out)
{
	char *argv[] = {"sh", "-c", (char *)command, NULL};
	posix_spawn_file_actions_t files;
	pid_t pid = -1;

	if (way == BY_FORK || way == BY_VFORK) {
		/* The flags of clang-tidy ask not to use it; programs do. */
		pid = way == BY_FORK ? fork() : vfork(); /* NOLINT */
		if (pid)
			return pid;
		dup2(out, STDOUT_FILENO);
		execve("/bin/sh", argv, environ);
		_exit(127);
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (posix_spawn(&pid, "/bin/sh", &files, NULL, argv, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

static uint64_t mask_by_popen(void)
{
	FILE *f = popen(show, "r"); /* NOLINT: as above */
	uint64_t mask = mask_in(f);

	CHECK(pclose(f) == 0);
	return mask;
}

static uint64_t mask_by(enum way way)
{
	uint64_t mask;
	int ends[2], status;
	pid_t pid;
	FILE *f;

	CHECK(pipe(ends) == 0);
	pid = start(way, show, ends[1]);
	close(ends[1]);
	f = fdopen(ends[0], "r");
	mask = mask_in(f);
	fclose(f);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	return mask;
}

static void *blocks(void *arg)
{
	*(uint64_t *)arg = mask_by(BY_SPAWN);
	return arg;
}

FILCH_STATIC_TASK(uint64_t, childs_mask, (int, way))
{
	uint64_t mask = 1;

	if (way == BY_POPEN)
		return mask_by_popen();
	if (way == BY_BLOCKING)
		filch_blocking(blocks, &mask);
	else
		mask = mask_by((enum way)way);
	return mask;
}

FILCH_STATIC_TASK(int, childs_end)
{
	int status = 0;
	pid_t pid = start(BY_SPAWN, die, STDOUT_FILENO);

	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

static void children(void **state)
{
	struct filch_pool *p;
	sigset_t some;
	uint64_t mask;

	(void)state;
	if (TEST_EMULATED)
		skip(); /* qemu keeps the masks of the program to itself */
	sigemptyset(&some);
	sigaddset(&some, SIGUSR2);
	sigaddset(&some, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &some, NULL);
	mask = own_mask();
	assert_true(mask >> (SIGUSR2 - 1) & 1);
	p = pool_of(2);
	for (int way = 0; way < WAYS; way++)
		assert_int_equal(FILCH_RUN_ON(p, childs_mask, way), mask);
	assert_int_equal(own_mask(), mask);
	assert_true(WIFSIGNALED(FILCH_RUN_ON(p, childs_end)));
	assert_int_equal(filch_pool_destroy(p), 0);
	pthread_sigmask(SIG_UNBLOCK, &some, NULL);
	all_right();
}

/* A task that becomes another program. */
FILCH_STATIC_TASK_VOID(becomes)
{
	execl("/bin/sh", "sh", "-c", die, (char *)NULL);
	_exit(127);
}

static void execs(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		FILCH_RUN(becomes);
		_exit(126);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

/* ---- handlers on workers ---- */

static _Atomic(unsigned) on_workers;

/* Takes more room than most handlers do. */
static void handler(int signal)
{
	volatile char room[4096];

	(void)signal;
	for (size_t i = 0; i < sizeof room; i++)
		room[i] = (char)i;
	add_rlx(&on_workers, 1); /* counted */
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	if (n % 8 == 0)
		filch_sleep((unsigned)n % 3 * 10 * FILCH_US);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static _Atomic(int) done;

static void *disturbs(void *arg)
{
	while (!load_rlx(&done)) { /* a flag only */
		kill(getpid(), SIGUSR1);
		usleep(50);
	}
	return arg;
}

/* The kernel prefers the main thread, which has the signal blocked: so the workers, which
 * have not, get it. */
static void disturb(int flags)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = flags}, old;
	struct filch_pool *p = pool_of(2);
	sigset_t usr1;
	pthread_t t;

	store_rlx(&done, 0); /* nobody else is there */
	store_rlx(&on_workers, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	assert_int_equal(sigaction(SIGUSR1, &a, &old), 0);
	assert_int_equal(pthread_create(&t, NULL, disturbs, NULL), 0);
	do
		assert_int_equal(FILCH_RUN_ON(p, fib, TEST_SLOW_BUILD ? 16 : 22),
		                 TEST_SLOW_BUILD ? 987 : 17711);
	while (load_rlx(&on_workers) < 20); /* a look only */
	store_rlx(&done, 1);                /* a flag only */
	pthread_join(t, NULL);
	assert_int_equal(filch_pool_destroy(p), 0);
	sigaction(SIGUSR1, &old, NULL);
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
}

static void handlers(void **state)
{
	(void)state;
	disturb(0);
	disturb(SA_ONSTACK | SA_RESTART);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children),
		cmocka_unit_test(execs),
		cmocka_unit_test(handlers),
	};

	signal(SIGTERM, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
