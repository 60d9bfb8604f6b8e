/* SPDX-License-Identifier: MIT */
/*
 * A deadlock, in which nothing is left that could wake a strand, ends the process with a
 * message. A pool that waits for a timer, for input, for a thread outside or for nothing
 * at all waits on.
 */
#include <filch.h>
#include <filch/channel.h>
#include <filch/future.h>
#include <filch/io.h>
#include <filch/sync.h>
#include <pthread.h>
#include <time.h>

#include "fiber/switch.h"
#include "tests/child.h"

#define LONG_ENOUGH (1200 * FILCH_MS) /* for a wrong report */

static const char begin[] =
	"filch: deadlock: each of these strands waits for another, and "
	"nothing is left that could wake one:\n  task '";

static struct filch_pool *pool_with(unsigned workers, enum filch_switch deadlocks)
{
	struct filch_pool_options o = {.workers = workers, .deadlocks = deadlocks};
	struct filch_pool *p = NULL;

	filch_pool_create(&p, &o, NULL);
	return p;
}

/* ---- deadlocks ---- */

struct crossed {
	struct filch_mutex mutex[2];
	struct filch_event locked[2];
};

FILCH_STATIC_TASK(long, crosses, (struct crossed *, c), (int, first))
{
	filch_mutex_lock(&c->mutex[first]);
	filch_event_set(&c->locked[first]);
	filch_event_wait(&c->locked[!first]);
	filch_mutex_lock(&c->mutex[!first]);
	return 0;
}

FILCH_STATIC_TASK_VOID(both_cross)
{
	struct crossed c = {0};

	FILCH_SPAWN(other, crosses, &c, 1);
	FILCH_CALL(crosses, &c, 0);
	FILCH_JOIN(other);
}

static void crosswise(void)
{
	FILCH_RUN_ON(pool_with(2, FILCH_ON), both_cross);
}

static struct filch_event never;

FILCH_STATIC_TASK(long, waits)
{
	return filch_event_wait(&never);
}

/* The main thread awaits the future, and so waits as well. */
static void nobody_sets_it(void)
{
	struct filch_future *f = FILCH_GO_ON(pool_with(1, FILCH_ON), waits);

	filch_await(f);
}

FILCH_STATIC_TASK(int, receives, (struct filch_channel *, c), (int, fd))
{
	char byte;
	int value;

	filch_read_until(fd, &byte, 1, filch_after(FILCH_MS)); /* has a driver now */
	return filch_channel_recv(c, &value);
}

static void nobody_sends(void)
{
	int ends[2];

	if (pipe(ends) == 0)
		FILCH_RUN_ON(pool_with(2, FILCH_ON), receives,
		             filch_channel_create(sizeof(int), 1), ends[0]);
}

static void by_the_variable(void)
{
	setenv("FILCH_DEADLOCKS", "on", 1);
	FILCH_RUN(waits);
}

/* ---- none ---- */

FILCH_STATIC_TASK(int, sleeps)
{
	return filch_sleep(LONG_ENOUGH);
}

FILCH_STATIC_TASK(int, sleeper_is_awaited)
{
	FILCH_SPAWN(x, sleeps);
	int y = FILCH_CALL(sleeps);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK(int, reads, (int, fd))
{
	char byte;

	return filch_read(fd, &byte, 1) == 1 ? 0 : 1;
}

FILCH_STATIC_TASK(long, waits_for, (struct filch_event *, e))
{
	return filch_event_wait(e);
}

static void pause_long(void)
{
	struct timespec t = {LONG_ENOUGH / FILCH_S, LONG_ENOUGH % FILCH_S};

	nanosleep(&t, NULL);
}

struct outside {
	struct filch_event event;
	int ends[2];
};

static void *writes(void *arg)
{
	struct outside *o = arg;

	pause_long();
	return write(o->ends[1], "x", 1) == 1 ? arg : NULL;
}

static void *sets(void *arg)
{
	struct outside *o = arg;

	pause_long();
	filch_event_set(&o->event);
	return arg;
}

static void waits_on(void **state)
{
	struct filch_pool *p = pool_with(2, FILCH_ON);
	struct outside o = {0};
	struct filch_future *f;
	pthread_t t;

	(void)state;
	assert_non_null(p);
	assert_int_equal(pipe(o.ends), 0);
	pause_long(); /* with nothing to do */
	assert_int_equal(FILCH_RUN_ON(p, sleeper_is_awaited), 0);
	assert_int_equal(pthread_create(&t, NULL, writes, &o), 0);
	assert_int_equal(FILCH_RUN_ON(p, reads, o.ends[0]), 0);
	pthread_join(t, NULL);
	assert_int_equal(pthread_create(&t, NULL, sets, &o), 0);
	assert_int_equal(FILCH_RUN_ON(p, waits_for, &o.event), 0);
	pthread_join(t, NULL);
	filch_event_reset(&o.event);
	f = FILCH_GO_ON(p, waits_for, &o.event);
	pause_long(); /* this thread may still set it */
	filch_event_set(&o.event);
	assert_int_equal(filch_await(f), 0);
	filch_future_drop(f);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* Input comes from another process, while all threads of this one wait. */
static void another_process(void **state)
{
	struct filch_pool *p;
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		pause_long();
		_exit(write(ends[1], "x", 1) != 1);
	}
	p = pool_with(1, FILCH_ON);
	assert_int_equal(FILCH_RUN_ON(p, reads, ends[0]), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* ---- off ---- */

static void not_reported(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	if (TEST_EMULATED)
		skip(); /* there are no threads in the child of a fork */
	pid = fork();
	if (!pid) {
		alarm(2);
		FILCH_RUN_ON(pool_with(1, FILCH_OFF), waits);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGALRM);
}

static void reported(void **state)
{
	(void)state;
	/* There are no threads in the child of a fork, or none of ThreadSanitizer's,
	 * which is counted. */
	if (TEST_EMULATED || FILCH__TSAN)
		skip();
	ends_with(crosswise, SIGABRT, begin);
	ends_with(nobody_sets_it, SIGABRT, begin);
	ends_with(nobody_sends, SIGABRT, begin);
	ends_with(by_the_variable, SIGABRT, begin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reported),
		cmocka_unit_test(not_reported),
		cmocka_unit_test(waits_on),
		cmocka_unit_test(another_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
