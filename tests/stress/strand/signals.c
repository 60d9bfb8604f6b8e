/* SPDX-License-Identifier: MIT */
/*
 * The system disturbs a process at work: it is stopped and continued, it forks, it is
 * sent the runtime's own signal by others, its tasks are in system calls when they are
 * asked.
 */
#include <errno.h>
#include <filch.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "tests/test.h"

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static struct filch_pool *pool_of(unsigned workers, int signal)
{
	struct filch_pool_options o = {.workers = workers, .signal = signal};
	struct filch_pool *p = NULL;

	filch_pool_create(&p, &o, NULL);
	return p;
}

/* Works for `ms` milliseconds. Returns how many results were wrong. */
static int work_for(struct filch_pool *p, uint64_t ms)
{
	uint64_t end = filch__now_ns() + ms * 1000000;
	int wrong = 0;

	do
		wrong += FILCH_RUN_ON(p, fib, 20) != 6765;
	while (filch__now_ns() < end);
	return wrong;
}

static void sleep_us(uint64_t us)
{
	struct timespec t = {0, (long)us * 1000};

	nanosleep(&t, NULL);
}

static bool ended(pid_t pid, int *status)
{
	pid_t r = waitpid(pid, status, WNOHANG);

	assert_true(r >= 0);
	return r == pid;
}

/* ---- stopped and continued ---- */

static void stop_and_continue(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());
	uint64_t ms = test_scaled(500);

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		pid_t pid = fork();
		int status;

		if (!pid)
			_exit(work_for(pool_of(workers, 0), ms) != 0);
		while (!ended(pid, &status)) {
			kill(pid, SIGSTOP);
			sleep_us(filch__random_below(&random, 300));
			kill(pid, SIGCONT);
			sleep_us(filch__random_below(&random, 1000));
		}
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

/* ---- fork() ---- */

/* In the child: the parent's pool is gone, and a new default pool does. */
static void be_child(struct filch_pool *parents)
{
	if (filch_worker_index() != -1)
		_exit(1);
	if (filch_pool_destroy(parents) != -ECHILD)
		_exit(2);
	/* A sanitizer's allocator may have been locked by a thread that is gone. */
	if (FILCH__ASAN || FILCH__TSAN)
		_exit(0);
	_exit(FILCH_RUN(fib, 15) == 610 ? 0 : 3);
}

static bool fork_well(struct filch_pool *p)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		be_child(p);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

FILCH_STATIC_TASK(int, forks, (struct filch_pool *, p), (int, depth))
{
	if (!depth)
		return fork_well(p);
	FILCH_SPAWN(x, forks, p, depth - 1);
	FILCH_SPAWN(y, fib, 12);
	int sum = FILCH_CALL(forks, p, depth - 1);

	sum += (int)(FILCH_JOIN(y) - 144);
	return sum + FILCH_JOIN(x);
}

static void forked_by_tasks(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		struct filch_pool *p = pool_of(workers, 0);

		for (size_t i = 0; i < test_scaled(4); i++)
			assert_int_equal(FILCH_RUN_ON(p, forks, p, 3), 8);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

static _Atomic(int) stop;

static void *works(void *pool)
{
	uintptr_t wrong = 0;

	while (!load_rlx(&stop)) /* a flag only */
		wrong += FILCH_RUN_ON((struct filch_pool *)pool, fib, 18) != 2584;
	return (void *)wrong;
}

static void forked_by_threads(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		struct filch_pool *p = pool_of(workers, 0);
		pthread_t t;
		void *wrong;

		store_rlx(&stop, 0); /* before the thread */
		assert_int_equal(pthread_create(&t, NULL, works, p), 0);
		for (size_t i = 0; i < test_scaled(40); i++)
			assert_true(fork_well(p));
		store_rlx(&stop, 1); /* a flag only */
		pthread_join(t, &wrong);
		assert_ptr_equal(wrong, NULL);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* ---- the runtime's own signal, from others ---- */

/* In a process of its own: both ways to send it, until it is killed. */
static void storm(pid_t at, int signal)
{
	union sigval value = {.sival_ptr = NULL};

	for (unsigned i = 0;; i++) {
		if (i & 1)
			kill(at, signal);
		else
			sigqueue(at, signal, value);
		value.sival_int = (int)i;
		if (i % 64 == 0)
			sleep_us(100);
	}
}

static void own_signal(void **state)
{
	const int signal = SIGRTMIN + 13;

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		pid_t parent = getpid(), pid;
		int wrong;
		struct filch_pool *p = pool_of(workers, signal);

		assert_non_null(p);
		if (FILCH__TSAN) { /* asks by poll: the signal is nobody's */
			assert_int_equal(filch_pool_destroy(p), 0);
			skip();
		}
		pid = fork();
		if (!pid)
			storm(parent, signal);
		wrong = work_for(p, test_scaled(400));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		assert_int_equal(wrong, 0);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* ---- asked while in a system call ---- */

FILCH_STATIC_TASK(bool, writes, (int, fd), (uint64_t, us))
{
	sleep_us(us);
	return write(fd, "x", 1) == 1;
}

/* Reads what its own children write: they are there only because it was asked. */
FILCH_STATIC_TASK(bool, reads, (int *, ends), (uint64_t, us))
{
	char c[3];
	bool good = true;

	FILCH_SPAWN(x, writes, ends[1], us);
	FILCH_SPAWN(y, writes, ends[1], us);
	FILCH_SPAWN(z, writes, ends[1], us);
	for (int i = 0; i < 3; i++)
		good &= read(ends[0], &c[i], 1) == 1;
	good &= FILCH_JOIN(x);
	good &= FILCH_JOIN(y);
	return good & FILCH_JOIN(z);
}

static void restarted(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());
	int ends[2];

	(void)state;
	if (FILCH__TSAN)
		skip();
	assert_int_equal(pipe(ends), 0);
	for (unsigned workers = 2; workers <= 8; workers *= 2) {
		struct filch_pool *p = pool_of(workers, 0);

		for (size_t i = 0; i < test_scaled(100); i++)
			assert_true(FILCH_RUN_ON(p, reads, ends,
			                         filch__random_below(&random, 1000)));
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stop_and_continue), cmocka_unit_test(forked_by_tasks),
		cmocka_unit_test(forked_by_threads), cmocka_unit_test(own_signal),
		cmocka_unit_test(restarted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
