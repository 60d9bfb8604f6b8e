/* SPDX-License-Identifier: MIT */
/*
 * Futures used wrongly: what cannot be reported by a result ends the process with a
 * sentence, here in a child of this one.
 */
#include <filch.h>
#include <filch/future.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "tests/child.h"

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK_VOID(sleeps)
{
	filch_sleep(1000 * FILCH_S);
}

static void *same(void *arg)
{
	return arg;
}

/* ---- results ---- */

static void result_too_early(void)
{
	filch_result(FILCH_GO(sleeps));
}

static void typed_result_too_early(void)
{
	FILCH_RESULT(sleeps, FILCH_GO(sleeps));
}

static void result_of_a_task(void)
{
	struct filch_future *f = FILCH_GO(fib, 5);

	filch_await(f);
	filch_result(f);
}

static void result_of_another(void)
{
	struct filch_future *f = FILCH_GO(fib, 5);

	FILCH_AWAIT(sleeps, f);
}

static void result_of_a_function(void)
{
	struct filch_future *f = filch_go(same, NULL);

	FILCH_AWAIT(fib, f);
}

static void result_of_nothing(void)
{
	filch_result(NULL);
}

static void wrong_results(void **state)
{
	(void)state;
	ends_with(
		result_too_early, SIGABRT,
		"filch: filch_result: the future of task 'sleeps' is not done; await it "
		"first\n");
	ends_with(
		typed_result_too_early, SIGABRT,
		"filch: FILCH_RESULT: the future of task 'sleeps' is not done; await it "
		"first\n");
	ends_with(result_of_a_task, SIGABRT,
	          "filch: filch_result: the future is one of task 'fib'; use "
	          "FILCH_RESULT(fib, ...)\n");
	ends_with(result_of_another, SIGABRT,
	          "filch: FILCH_RESULT: asked for the result of task 'sleeps', but the "
	          "future is one of 'fib'\n");
	ends_with(result_of_a_function, SIGABRT,
	          "filch: FILCH_RESULT: asked for the result of task 'fib', but the "
	          "future is one of 'same'\n");
	ends_with(
		result_of_nothing, SIGABRT,
		"filch: filch_result: there is no future: it is NULL, as when there was "
		"no memory to start it\n");
}

/* ---- awaiting ---- */

struct ring {
	struct filch_future *f[2];
	_Atomic(int) ready;
};

FILCH_STATIC_TASK(int, awaits, (struct ring *, r), (int, i))
{
	while (!load_acq(&r->ready)) /* made by start() */
		filch_yield();
	return FILCH_AWAIT(awaits, r->f[i]);
}

static void start(int n)
{
	static struct ring r;

	for (int i = 0; i < n; i++)
		r.f[i] = FILCH_GO(awaits, &r, (i + 1) % n);
	store_rel(&r.ready, 1); /* seen by awaits() */
	filch_await(r.f[0]);
}

static void await_self(void)
{
	start(1);
}

static void await_each_other(void)
{
	start(2);
}

static void await_nothing(void)
{
	FILCH_AWAIT(fib, (struct filch_future *)NULL);
}

static void await_parents(void)
{
	struct filch_future *f = FILCH_GO(sleeps);
	int status;
	pid_t pid = fork();

	if (!pid)
		FILCH_AWAIT(sleeps, f);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
}

static void wrong_awaits(void **state)
{
	static const char cycle[] =
		"filch: FILCH_AWAIT: the future of task 'awaits' awaits itself, or "
		"another "
		"one that awaits it in turn, and would never be done\n";

	(void)state;
	ends_with(await_self, SIGABRT, cycle);
	ends_with(await_each_other, SIGABRT, cycle);
	ends_with(await_nothing, SIGABRT,
	          "filch: FILCH_AWAIT: there is no future: it is NULL, as when there was "
	          "no "
	          "memory to start it\n");
	ends_with(await_parents, SIGABRT,
	          "filch: FILCH_AWAIT: the future belongs to the parent process\n");
}

/* ---- starting ---- */

static void bad_environment(void)
{
	setenv("FILCH_WORKERS", "none", 1);
	FILCH_GO(fib, 3);
}

static void go_on_parents(void)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *p = NULL;
	int status;
	pid_t pid;

	filch_pool_create(&p, &o, NULL);
	pid = fork();
	if (!pid)
		FILCH_GO_ON(p, fib, 3);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
}

static void wrong_pools(void **state)
{
	(void)state;
	ends_with(bad_environment, SIGABRT,
	          "filch: FILCH_GO: the default pool does not start: FILCH_WORKERS is "
	          "'none', but must be a number from 1 to 1024\n");
	ends_with(go_on_parents, SIGABRT,
	          "filch: FILCH_GO_ON: the pool belongs to the parent process; make one "
	          "after fork()\n");
}

/* ---- overflow ---- */

FILCH_STATIC_TASK(long, endless, (long, n))
{
	volatile char page[1024];

	page[n % 1024] = 1;
	if (n < 0)
		return 0;
	FILCH_SPAWN(x, endless, n + 1);
	return FILCH_JOIN(x) + page[n % 1024];
}

static void *endless_call(void *arg)
{
	endless((long)(intptr_t)arg);
	return arg;
}

static void overflow(void)
{
	filch_await(FILCH_GO(endless, 0));
}

static void overflow_in_a_function(void)
{
	setenv("FILCH_WORKERS", "1", 1); /* a thief would have the task as its first */
	filch_await(filch_go(endless_call, NULL));
}

static void stack_overflow(void **state)
{
	(void)state;
	ends_with(overflow, SIGSEGV,
	          "filch: stack overflow in task 'endless', or in what it calls; raise "
	          "FILCH_STACK_SIZE or filch_pool_options.stack_size\n");
	ends_with(overflow_in_a_function, SIGSEGV,
	          "filch: stack overflow in task 'endless_call', or in what it calls; "
	          "raise FILCH_STACK_SIZE or filch_pool_options.stack_size\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_results),
		cmocka_unit_test(wrong_awaits),
		cmocka_unit_test(wrong_pools),
		cmocka_unit_test(stack_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
