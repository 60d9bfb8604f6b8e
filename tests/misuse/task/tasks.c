/* SPDX-License-Identifier: MIT */
/*
 * Tasks used wrongly: what cannot be reported by a result ends the process with a sentence,
 * here in a child of this one; the rest is refused. And what is right is let through by
 * the checks of FILCH_DEBUG.
 */
#define FILCH_DEBUG 1
#include <errno.h>
#include <filch.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "tests/child.h"

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* ---- children that end badly ---- */

static struct filch_pool *pool_of(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p = NULL;

	filch_pool_create(&p, &o, NULL);
	return p;
}

/* ---- joins ---- */

#define NOT_SPAWNED                                                                 \
	"filch: FILCH_JOIN: this was not spawned, or is joined already; join once " \
	"what was spawned\n"
#define OTHER_STRAND(task)                                                             \
	"filch: FILCH_JOIN: task '" task "' was spawned by another strand; a task is " \
	"joined by the function that spawned it\n"

FILCH_STATIC_TASK(long, joins_twice)
{
	FILCH_SPAWN(x, fib, 3);
	long y = FILCH_JOIN(x);

	return y + FILCH_JOIN(x);
}

static void join_twice(void)
{
	FILCH_RUN(joins_twice);
}

FILCH_STATIC_TASK(long, joins_nothing)
{
	FILCH_FRAME(fib) x;

	memset(&x, 0, sizeof x);
	return FILCH_JOIN_AT(&x, fib);
}

static void join_nothing(void)
{
	FILCH_RUN(joins_nothing);
}

static void join_nothing_outside(void)
{
	joins_nothing();
}

static void wrong_joins(void **state)
{
	(void)state;
	ends_with(join_twice, SIGABRT, NOT_SPAWNED);
	ends_with(join_nothing, SIGABRT, NOT_SPAWNED);
	ends_with(join_nothing_outside, SIGABRT, NOT_SPAWNED);
}

typedef FILCH_FRAME(fib) fib_frame;

FILCH_STATIC_TASK(long, joins_other, (fib_frame *, x))
{
	return FILCH_JOIN_AT(x, fib);
}

/* Has another worker join what this one spawned. */
FILCH_STATIC_TASK(long, lends, (struct filch_pool *, other))
{
	fib_frame x;
	long sum;

	FILCH_SPAWN_AT(&x, fib, 3);
	sum = FILCH_RUN_ON(other, joins_other, &x);
	return sum + FILCH_JOIN_AT(&x, fib);
}

static void join_other(void)
{
	struct filch_pool *p = pool_of(1), *other = pool_of(1);

	FILCH_RUN_ON(p, lends, other);
}

static void joined_by_another(void **state)
{
	(void)state;
	ends_with(join_other, SIGABRT, OTHER_STRAND("fib"));
}

/* ---- spawns ---- */

static void spawn_outside(void)
{
	fib(3);
}

FILCH_STATIC_TASK(long, spawns_on_heap)
{
	fib_frame *x = aligned_alloc(16, (sizeof *x + 15) / 16 * 16);

	if (!x)
		return 0;
	FILCH_SPAWN_AT(x, fib, 3);
	return FILCH_JOIN_AT(x, fib);
}

static void spawn_on_heap(void)
{
	FILCH_RUN(spawns_on_heap);
}

static void wrong_spawns(void **state)
{
	(void)state;
	ends_with(spawn_outside, SIGABRT,
	          "filch: FILCH_SPAWN: task 'fib' is spawned outside a pool; begin with "
	          "FILCH_RUN\n");
	ends_with(
		spawn_on_heap, SIGABRT,
		"filch: FILCH_SPAWN: the frame of task 'fib' is not on the stack, where "
		"nobody would find it; use a group for tasks elsewhere\n");
}

/* ---- groups ---- */

static void group_spawn_outside(void)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, fib, 3);
}

static void group_wait_outside(void)
{
	struct filch_group g;

	filch_group_begin(&g);
	filch_group_wait(&g);
}

FILCH_STATIC_TASK_VOID(uses_group, (int, how))
{
	struct filch_group g;

	memset(&g, 0, sizeof g);
	if (how == 2) {
		filch_group_begin(&g);
		filch_group_wait(&g);
	}
	if (how)
		filch_group_wait(&g);
	else
		FILCH_GROUP_SPAWN(&g, fib, 3);
}

static void group_spawn_not_begun(void)
{
	FILCH_RUN(uses_group, 0);
}

static void group_wait_not_begun(void)
{
	FILCH_RUN(uses_group, 1);
}

static void group_wait_twice(void)
{
	FILCH_RUN(uses_group, 2);
}

#define OUTSIDE(call) "filch: " call ": called outside a pool; begin with FILCH_RUN\n"
#define NOT_BEGUN(call)                                                           \
	"filch: " call ": the group was not begun, or has been waited for; call " \
	"filch_group_begin first\n"

static void wrong_groups(void **state)
{
	(void)state;
	ends_with(group_spawn_outside, SIGABRT, OUTSIDE("FILCH_GROUP_SPAWN"));
	ends_with(group_wait_outside, SIGABRT, OUTSIDE("filch_group_wait"));
	ends_with(group_spawn_not_begun, SIGABRT, NOT_BEGUN("FILCH_GROUP_SPAWN"));
	ends_with(group_wait_not_begun, SIGABRT, NOT_BEGUN("filch_group_wait"));
	ends_with(group_wait_twice, SIGABRT, NOT_BEGUN("filch_group_wait"));
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

static void overflow(void)
{
	FILCH_RUN(endless, 0);
}

static void stack_overflow(void **state)
{
	(void)state;
	if (FILCH__TSAN)
		skip(); /* the stack may end within TSan, which holds its locks then */
	ends_with(overflow, SIGSEGV,
	          "filch: stack overflow in task 'endless', or in what it calls; raise "
	          "FILCH_STACK_SIZE or filch_pool_options.stack_size\n");
}

/* ---- the default pool, and those of a parent process ---- */

static void bad_environment(void)
{
	setenv("FILCH_WORKERS", "none", 1);
	FILCH_RUN(fib, 3);
}

static void run_on_parents(void)
{
	struct filch_pool *p = pool_of(1);
	int status;
	pid_t pid = fork();

	if (!pid)
		FILCH_RUN_ON(p, fib, 3);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
}

static void wrong_pools(void **state)
{
	(void)state;
	ends_with(bad_environment, SIGABRT,
	          "filch: FILCH_RUN: the default pool does not start: FILCH_WORKERS is "
	          "'none', but must be a number from 1 to 1024\n");
	ends_with(run_on_parents, SIGABRT,
	          "filch: FILCH_RUN_ON: the pool belongs to the parent process; make one "
	          "after fork()\n");
}

/* ---- what is refused by a result ---- */

FILCH_STATIC_TASK(int, destroys, (struct filch_pool *, p))
{
	return filch_pool_destroy(p);
}

static void destroyed_by_a_worker(void **state)
{
	struct filch_pool *p = pool_of(2), *other = pool_of(1);

	(void)state;
	assert_int_equal(FILCH_RUN_ON(p, destroys, p), -EDEADLK);
	assert_int_equal(FILCH_RUN_ON(p, fib, 10), 55); /* it goes on */
	assert_int_equal(FILCH_RUN_ON(p, destroys, other), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static _Atomic(int) begun, may_end;

FILCH_STATIC_TASK_VOID(stays)
{
	store_rel(&begun, 1);       /* seen by destroyed_with_work() */
	while (!load_acq(&may_end)) /* as above */
		;
}

static void *runs(void *p)
{
	FILCH_RUN_ON((struct filch_pool *)p, stays);
	return NULL;
}

static void destroyed_with_work(void **state)
{
	struct filch_pool *p = pool_of(2);
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, runs, p), 0);
	while (!load_acq(&begun)) /* made by stays() */
		;
	assert_int_equal(filch_pool_destroy(p), -EBUSY);
	assert_int_equal(FILCH_RUN_ON(p, fib, 10), 55); /* nothing was changed */
	store_rel(&may_end, 1);                         /* seen by stays() */
	pthread_join(t, NULL);
	assert_int_equal(filch_pool_destroy(p), 0);
	assert_int_equal(filch_pool_destroy(NULL), 0);
	assert_int_equal(filch_pool_destroy(NULL), 0);
}

static void handler(int signal)
{
	(void)signal;
}

static void signal_in_use(void **state)
{
	struct filch_pool_options o = {.workers = 1, .signal = SIGUSR2, .ask = "signal"};
	struct filch_pool *p = NULL;
	const char *why = NULL;
	struct sigaction now;

	(void)state;
	signal(SIGUSR2, handler);
	assert_int_equal(filch_pool_create(&p, &o, &why), -EBUSY);
	assert_null(p);
	assert_string_equal(why, "signal 12 is handled by the program itself; choose "
	                         "another one with FILCH_SIGNAL, or FILCH_ASK=poll");
	assert_int_equal(sigaction(SIGUSR2, NULL, &now), 0);
	assert_true(now.sa_handler == handler); /* it stays the program's */
	signal(SIGUSR2, SIG_IGN);
	assert_int_equal(filch_pool_create(&p, &o, &why), -EBUSY);
	o.ask = "poll";
	assert_int_equal(filch_pool_create(&p, &o, &why), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void no_such_worker(void **state)
{
	struct filch_pool *p = pool_of(2);
	struct filch_stats s;

	(void)state;
	assert_int_equal(filch_pool_stats(p, 2, &s), -EINVAL);
	assert_int_equal(filch_pool_stats(p, -2, &s), -EINVAL);
	assert_int_equal(filch_pool_stats(p, 1, &s), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* ---- right use, checked ---- */

#define PARTS 64

/* Waiting for a group exposes all of them; joining from an end on makes those that lie
 * above it in the deque private again. */
FILCH_STATIC_TASK(long, both_ways, (int, n))
{
	fib_frame part[PARTS];
	long sum = 0;

	for (int k = 0; k < 2; k++) {
		struct filch_group g;

		for (int i = 0; i < PARTS; i++)
			FILCH_SPAWN_AT(&part[i], fib, n);
		filch_group_begin(&g);
		filch_group_wait(&g);
		for (int i = 0; i < PARTS; i++)
			sum += FILCH_JOIN_AT(&part[k ? i : PARTS - 1 - i], fib);
	}
	return sum;
}

static void right_use(void)
{
	struct filch_pool *p = pool_of(4);

	for (size_t i = 0; i < test_scaled(400); i++)
		if (FILCH_RUN_ON(p, both_ways, 10) != 2 * PARTS * 55)
			_exit(1);
	filch_pool_destroy(p);
	fprintf(stderr, "right");
	raise(SIGTERM);
}

static void let_through(void **state)
{
	(void)state;
	ends_with(right_use, SIGTERM, "right");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_joins),
		cmocka_unit_test(joined_by_another),
		cmocka_unit_test(wrong_spawns),
		cmocka_unit_test(wrong_groups),
		cmocka_unit_test(stack_overflow),
		cmocka_unit_test(wrong_pools),
		cmocka_unit_test(destroyed_by_a_worker),
		cmocka_unit_test(destroyed_with_work),
		cmocka_unit_test(signal_in_use),
		cmocka_unit_test(no_such_worker),
		cmocka_unit_test(let_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
