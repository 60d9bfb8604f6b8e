/* SPDX-License-Identifier: MIT */
/*
 * A strand that calls again and again what may wait, and finds each time that it need not
 * wait, does not keep the only worker for itself: the strand that it waits for runs, be
 * it a future, a task of a group of the polling strand's own, or a task that it has
 * spawned. Where that is not so, this test hangs.
 */
#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <filch/channel.h>
#include <filch/future.h>
#include <filch/io.h>
#include <filch/sync.h>
#include <filch/time.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/atomic.h"
#include "tests/together.h"

static struct filch_pool *pool;
static struct filch_mutex mutex; /* the main thread has locked it */
static struct filch_event event; /* nobody sets it */
static struct filch_channel *channel;
static struct filch_future *sleeper; /* done when the pool ends */
static int ends[2], zeros, file, nowhere = -1;

/* ---- one call that need not wait ---- */

static void sleeps_for_nothing(void)
{
	CHECK(filch_sleep(0) == 0);
}

static void sleeps_too_late(void)
{
	CHECK(filch_sleep_until(1) == 0);
}

static void yields(void)
{
	filch_yield();
}

static void awaits(void)
{
	CHECK(filch_await_until(sleeper, 0) == -ETIMEDOUT);
}

static void awaits_any(void)
{
	CHECK(filch_await_any_until(&sleeper, 1, 0) == -ETIMEDOUT);
}

static void locks(void)
{
	CHECK(filch_mutex_lock_until(&mutex, 0) == -ETIMEDOUT);
}

static void waits(void)
{
	CHECK(filch_event_wait_until(&event, 0) == -ETIMEDOUT);
}

static void receives(void)
{
	int value;

	CHECK(filch_channel_recv_until(channel, &value, 0) == -ETIMEDOUT);
}

static void reads_a_socket(void)
{
	char c;

	CHECK(filch_recv(ends[0], &c, 1, MSG_PEEK) == 1);
}

static void reads_a_device(void)
{
	char c;

	CHECK(filch_read(zeros, &c, 1) == 1);
}

static void reads_a_file(void)
{
	char c;

	CHECK(filch_pread(file, &c, 1, 0) == 1);
}

static void reads_too_late(void)
{
	char c;

	CHECK(filch_read_until(ends[1], &c, 1, 0) == -ETIMEDOUT);
}

static void reads_nothing(void)
{
	char c;

	CHECK(filch_read(nowhere, &c, 1) == -EBADF);
}

static void polls(void)
{
	CHECK(filch_poll(ends[0], POLLIN) == POLLIN);
}

static void opens(void)
{
	int fd = filch_openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0);

	CHECK(fd >= 0);
	close(fd);
}

static void accepts_too_late(void)
{
	CHECK(filch_accept_until(ends[0], NULL, NULL, 0, 0) < 0);
}

static void (*const ways[])(void) = {
	sleeps_for_nothing, sleeps_too_late, yields,       awaits,
	awaits_any,         locks,           waits,        receives,
	reads_a_socket,     reads_a_device,  reads_a_file, reads_nothing,
	reads_too_late,     polls,           opens,        accepts_too_late,
};

#define WAYS (sizeof ways / sizeof *ways)

/* ---- what sets the flag ---- */

static _Atomic(int) flag;

FILCH_STATIC_TASK_VOID(sets)
{
	store_rlx(&flag, 1); /* a flag only */
}

FILCH_STATIC_TASK(long, sets_late)
{
	filch_sleep(FILCH_MS);
	sets();
	return 1;
}

static void poll_by(size_t way)
{
	while (!load_rlx(&flag)) /* a flag only */
		ways[way]();
	store_rlx(&flag, 0); /* nobody else is there */
}

FILCH_STATIC_TASK_VOID(for_a_future, (size_t, way))
{
	struct filch_future *f = FILCH_GO(sets_late);

	poll_by(way);
	CHECK(f && FILCH_AWAIT(sets_late, f) == 1);
	filch_future_drop(f);
}

FILCH_STATIC_TASK_VOID(for_its_group, (size_t, way))
{
	struct filch_group g;

	filch_group_begin(&g);
	CHECK(FILCH_GROUP_SPAWN(&g, sets) == 0);
	poll_by(way);
	CHECK(filch_group_wait(&g) == 0);
}

FILCH_STATIC_TASK_VOID(for_its_task, (size_t, way))
{
	FILCH_SPAWN(it, sets);
	poll_by(way);
	FILCH_JOIN(it);
}

/* Two at once, each for a task of its own as well: neither may count on the other to
 * wait. */
FILCH_STATIC_TASK_VOID(counts, (_Atomic(int) *, both))
{
	add_rlx(both, 1); /* counted */
}

FILCH_STATIC_TASK(long, polls_for_both, (size_t, way), (_Atomic(int) *, both))
{
	struct filch_group g;

	filch_group_begin(&g);
	CHECK(FILCH_GROUP_SPAWN(&g, counts, both) == 0);
	while (load_rlx(both) < 2) /* a look only */
		ways[way]();
	CHECK(filch_group_wait(&g) == 0);
	return 1;
}

FILCH_STATIC_TASK_VOID(for_each_its_own, (size_t, way))
{
	_Atomic(int) both = 0;
	struct filch_future *f = FILCH_GO(polls_for_both, way, &both);

	CHECK(f && FILCH_CALL(polls_for_both, way, &both) == 1);
	CHECK(FILCH_AWAIT(polls_for_both, f) == 1);
	filch_future_drop(f);
}

/* In a group that is cancelled no call waits at all. */
FILCH_STATIC_TASK_VOID(polls_cancelled, (struct filch_group *, g))
{
	FILCH_SPAWN(it, sets);
	filch_group_cancel(g);
	while (!load_rlx(&flag)) /* a flag only */
		CHECK(filch_event_wait(&event) == -ECANCELED);
	FILCH_JOIN(it);
	store_rlx(&flag, 0); /* nobody else is there */
}

FILCH_STATIC_TASK_VOID(while_cancelled)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, polls_cancelled, &g);
	CHECK(filch_group_wait(&g) == -ECANCELED);
}

/* ---- tests ---- */

static void future(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++)
		FILCH_RUN_ON(pool, for_a_future, i);
	all_right();
}

static void own_group(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++)
		FILCH_RUN_ON(pool, for_its_group, i);
	all_right();
}

static void own_task(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++)
		FILCH_RUN_ON(pool, for_its_task, i);
	all_right();
}

static void each_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++)
		FILCH_RUN_ON(pool, for_each_its_own, i);
	all_right();
}

static void cancelled(void **state)
{
	(void)state;
	FILCH_RUN_ON(pool, while_cancelled);
	all_right();
}

FILCH_STATIC_TASK(long, sleeps)
{
	return filch_sleep_until(FILCH_NEVER);
}

static int begin(void **state)
{
	(void)state;
	pool = pool_of(1);
	filch_mutex_lock(&mutex);
	channel = filch_channel_create(sizeof(int), 1);
	sleeper = FILCH_GO_ON(pool, sleeps);
	zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (!channel || !sleeper || zeros < 0 || file < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	return write(ends[1], "x", 1) == 1 ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	filch_future_cancel(sleeper);
	filch_await(sleeper);
	filch_future_drop(sleeper);
	filch_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		close(ends[i]);
	close(zeros);
	close(file);
	return filch_channel_destroy(channel) || filch_pool_destroy(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(future),    cmocka_unit_test(own_group),
		cmocka_unit_test(own_task),  cmocka_unit_test(each_its_own),
		cmocka_unit_test(cancelled),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
