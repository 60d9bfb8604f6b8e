/* SPDX-License-Identifier: MIT */
/*
 * A thread outside that waits for a task is a worker meanwhile. It stays what it is, and its
 * end, its cancellation and its forks have nothing of the pool in them.
 */
#include <filch.h>
#include <filch/sync.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "tests/test.h"

static struct filch_pool *pool;

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK(uintptr_t, thread_of_task)
{
	return (uintptr_t)pthread_self();
}

/* Until a worker sleeps, there is nothing to borrow. */
static void wait_for_a_loan(void)
{
	while (FILCH_RUN_ON(pool, thread_of_task) != (uintptr_t)pthread_self())
		pause_ms(1);
}

static void runs_here(void **state)
{
	(void)state;
	wait_for_a_loan();
	assert_int_equal(FILCH_RUN_ON(pool, fib, 20), 6765);
}

/* ---- help ---- */

static _Atomic(bool) helped;

FILCH_STATIC_TASK_VOID(nothing)
{
}

FILCH_STATIC_TASK_VOID(helps)
{
	store_rlx(&helped, true); /* polled */
}

/* Ends only when another worker has come, and makes no join until then. */
FILCH_STATIC_TASK_VOID(waits_for_help)
{
	store_rlx(&helped, false); /* nobody else is here yet */
	FILCH_SPAWN(x, helps);
	while (!load_rlx(&helped)) /* polled */
		pause_ms(1);
	FILCH_JOIN(x);
}

/* Calls for loans that are over at once are in vain; the next one is helped all the same. */
static void helped_after_short_loans(void **state)
{
	(void)state;
	if (FILCH__TSAN)
		skip(); /* it holds signals back */
	for (int i = 0; i < 10; i++) {
		pause_ms(i * 10);
		for (int k = 0; k < 100; k++)
			FILCH_RUN_ON(pool, nothing);
		FILCH_RUN_ON(pool, waits_for_help);
	}
}

/* ---- what the thread has of its own ---- */

/* Under TSan workers are not asked by signals. */
FILCH_STATIC_TASK(int, blocks_questions)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGURG);
}

static void keeps_its_own(void **state)
{
	sigset_t mask, then;
	int cancel;

	(void)state;
	sigemptyset(&mask);
	sigaddset(&mask, SIGURG); /* by which workers ask */
	sigaddset(&mask, SIGUSR1);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, &mask, NULL), 0);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pause_ms(2); /* a thread's mask is looked at every millisecond */
	wait_for_a_loan();
	assert_int_equal(FILCH_RUN_ON(pool, blocks_questions), FILCH__TSAN);
	assert_int_equal(FILCH_RUN_ON(pool, fib, 20), 6765);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &cancel);
	assert_int_equal(cancel, PTHREAD_CANCEL_DISABLE);
	pthread_sigmask(SIG_UNBLOCK, &mask, &then);
	assert_true(sigismember(&then, SIGURG));
	assert_true(sigismember(&then, SIGUSR1));
	wait_for_a_loan();
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &cancel);
	assert_int_equal(cancel, PTHREAD_CANCEL_ENABLE);
}

/* ---- threads that are cancelled, and that end ---- */

static struct filch_event go = FILCH_EVENT_INIT;
static _Atomic(bool) begun, ended, after;

FILCH_STATIC_TASK_VOID(waits)
{
	store_rlx(&begun, true); /* polled */
	filch_event_wait(&go);
	pthread_testcancel();    /* not while the thread is a worker */
	store_rlx(&ended, true); /* read after a join */
}

static void *is_cancelled(void *arg)
{
	wait_for_a_loan();
	FILCH_RUN_ON(pool, waits);
	pthread_testcancel();
	store_rlx(&after, true); /* read after a join */
	return arg;
}

static void cancelled(void **state)
{
	pthread_t t;
	void *got;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, is_cancelled, NULL), 0);
	while (!load_rlx(&begun)) /* polled */
		pause_ms(1);
	assert_int_equal(pthread_cancel(t), 0);
	pause_ms(10);
	filch_event_set(&go);
	assert_int_equal(pthread_join(t, &got), 0);
	assert_ptr_equal(got, PTHREAD_CANCELED);
	assert_true(load_rlx(&ended));  /* after the join */
	assert_false(load_rlx(&after)); /* after the join */
	assert_int_equal(FILCH_RUN_ON(pool, fib, 20), 6765);
}

static void *exits(void *arg)
{
	pthread_exit(FILCH_RUN_ON(pool, fib, 15) == 610 ? arg : NULL);
}

static void ended_threads(void **state)
{
	(void)state;
	for (size_t i = 0; i < test_scaled(200); i++) {
		pthread_t t;
		void *got;

		assert_int_equal(pthread_create(&t, NULL, exits, &pool), 0);
		assert_int_equal(pthread_join(t, &got), 0);
		assert_ptr_equal(got, &pool);
	}
}

/* ---- forks ---- */

/* Ends with 0 if a pool of the child's own does what it should. */
static _Noreturn void be_child(void)
{
	struct filch_pool_options o = {.workers = 2};
	bool right;

	right = !filch_pool_create(&pool, &o, NULL) &&
	        FILCH_RUN_ON(pool, fib, 20) == 6765;
	pause_ms(5);
	right = right && FILCH_RUN_ON(pool, fib, 20) == 6765;
	_exit(right && !filch_pool_destroy(pool) ? 0 : 1);
}

FILCH_STATIC_TASK(int, forks)
{
	pid_t pid = fork();

	if (!pid)
		_exit(7);
	return (int)pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void forked(void **state)
{
	pid_t pid;

	(void)state;
	if (FILCH__TSAN || TEST_EMULATED)
		skip(); /* they let the child of a fork start no threads */
	wait_for_a_loan();
	pid = fork();
	if (!pid)
		be_child();
	assert_int_equal(status_of(pid), 0);
	assert_int_equal(status_of(FILCH_RUN_ON(pool, forks)), 7);
	assert_int_equal(FILCH_RUN_ON(pool, fib, 20), 6765);
}

int main(void)
{
	struct filch_pool_options o = {.workers = 2};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_here),
		cmocka_unit_test(helped_after_short_loans),
		cmocka_unit_test(keeps_its_own),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(ended_threads),
		cmocka_unit_test(forked),
	};
	int failed;

	if (filch_pool_create(&pool, &o, NULL))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed || filch_pool_destroy(pool);
}
