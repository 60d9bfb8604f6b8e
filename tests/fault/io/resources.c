/* SPDX-License-Identifier: MIT */
/*
 * What I/O itself needs refused: descriptors, memory, rings, entries of rings. The call fails
 * with the reason, or is done in another way; the next one finds everything as it was.
 */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/io.h"

#ifndef FILCH_NO_URING
#include <liburing.h>
#endif

/* How many calls go well before one is refused; -1: all do. How many are then. */
static _Atomic(int) good, bad;

static bool refuse(void)
{
	if (load_rlx(&good) < 0) /* one call at a time */
		return false;
	if (load_rlx(&good) > 0) {  /* as above */
		add_rlx(&good, -1); /* as above */
		return false;
	}
	if (add_rlx(&bad, -1) <= 1)   /* as above */
		store_rlx(&good, -1); /* as above */
	return true;
}

static _Atomic(int) which; /* of these */
enum { NONE, CREATE, EVENT, CONTROL, INIT, SUBMIT, THREAD };

#define REFUSED(call) (load_rlx(&which) == (call) && refuse()) /* see refuse() */

int __real_epoll_create1(int flags);
int __wrap_epoll_create1(int flags);
int __real_eventfd(unsigned n, int flags);
int __wrap_eventfd(unsigned n, int flags);
int __real_epoll_ctl(int epoll, int op, int fd, struct epoll_event *e);
int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *e);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);

static int failed(int error)
{
	errno = error;
	return -1;
}

int __wrap_epoll_create1(int flags)
{
	return REFUSED(CREATE) ? failed(EMFILE) : __real_epoll_create1(flags);
}

int __wrap_eventfd(unsigned n, int flags)
{
	return REFUSED(EVENT) ? failed(ENFILE) : __real_eventfd(n, flags);
}

int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *e)
{
	return REFUSED(CONTROL) ? failed(ENOSPC) : __real_epoll_ctl(epoll, op, fd, e);
}

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg)
{
	return REFUSED(THREAD) ? EAGAIN : __real_pthread_create(t, a, fn, arg);
}

#ifndef FILCH_NO_URING
int __real_io_uring_queue_init(unsigned n, struct io_uring *u, unsigned flags);
int __wrap_io_uring_queue_init(unsigned n, struct io_uring *u, unsigned flags);
int __real_io_uring_submit(struct io_uring *u);
int __wrap_io_uring_submit(struct io_uring *u);

int __wrap_io_uring_queue_init(unsigned n, struct io_uring *u, unsigned flags)
{
	return REFUSED(INIT) ? -ENOMEM : __real_io_uring_queue_init(n, u, flags);
}

int __wrap_io_uring_submit(struct io_uring *u)
{
	return REFUSED(SUBMIT) ? -EBUSY : __real_io_uring_submit(u);
}
#endif

static void arm(int call, int after, int times)
{
	store_rlx(&which, call); /* nobody else is there */
	store_rlx(&good, after); /* nobody else is there */
	store_rlx(&bad, times);  /* nobody else is there */
}

static void disarm(void)
{
	arm(NONE, -1, 0);
}

/* ---- the driver ---- */

FILCH_STATIC_TASK(int, waits, (int, unused))
{
	int fd[2], r;
	char c;

	(void)unused;
	test_pair(PAIR_UNIX, fd);
	r = (int)filch_read_until(fd[0], &c, 1, filch_after(FILCH_MS));
	filch_close(fd[0]);
	filch_close(fd[1]);
	return r;
}

static void driver_refused(int call, int error)
{
	arm(call, 0, 1);
	CHECK_IS(FILCH_RUN_ON(pool, waits, 0), error);
	disarm();
	CHECK_IS(FILCH_RUN_ON(pool, waits, 0), -ETIMEDOUT); /* it is tried again */
}

static void run_create(void)
{
	driver_refused(CREATE, -EMFILE);
}

static void run_event(void)
{
	driver_refused(EVENT, -ENFILE);
}

static void run_control(void)
{
	driver_refused(CONTROL, -ENOSPC);
}

/* With the driver there: a descriptor cannot be watched. */
static void run_watch(void)
{
	CHECK_IS(FILCH_RUN_ON(pool, waits, 0), -ETIMEDOUT);
	driver_refused(CONTROL, -ENOSPC);
}

/* ---- rings ---- */

FILCH_STATIC_TASK_VOID(files, (int, n))
{
	char c = 1;

	while (n--) {
		int fd = filch_openat(AT_FDCWD, "/dev/zero", O_RDONLY, 0);

		CHECK(fd >= 0);
		CHECK_IS(filch_read(fd, &c, 1), 1);
		CHECK_IS(c, 0);
		CHECK_IS(filch_close(fd), 0);
	}
}

/* The driver can be made, its ring cannot: helpers do it. */
static void run_no_ring(void)
{
	CHECK_IS(FILCH_RUN_ON(pool, waits, 0), -ETIMEDOUT);
	arm(INIT, 0, 1);
	FILCH_RUN_ON(pool, files, 20);
	disarm();
	FILCH_RUN_ON(pool, files, 20);
}

/* No helper either: the worker does it. */
static void run_nothing(void)
{
	CHECK_IS(FILCH_RUN_ON(pool, waits, 0), -ETIMEDOUT);
	arm(INIT, 0, 1000);
	FILCH_RUN_ON(pool, files, 1);
	arm(THREAD, 0, 1000);
	FILCH_RUN_ON(pool, files, 20);
	disarm();
}

/* Entries are not taken, now and then or for long. */
static void run_busy(void)
{
	for (int times = 1; times < 200; times *= 3)
		for (int after = 0; after < 8; after++) {
			arm(SUBMIT, after, times);
			FILCH_RUN_ON(pool, files, 4);
		}
	disarm();
	FILCH_RUN_ON(pool, files, 20);
}

static void run_busy_small(void)
{
	filch__ring_entries = 1;
	run_busy();
	filch__ring_entries = 256;
}

/* ---- descriptors run out ---- */

FILCH_STATIC_TASK_VOID(too_many, (int, unused))
{
	struct sockaddr_in a;
	struct rlimit limit, low;
	int l = test_listen(4, &a), fd = socket(AF_INET, SOCK_STREAM, 0), got;

	(void)unused;
	CHECK_IS(filch_accept_until(l, NULL, NULL, 0, filch_after(FILCH_MS)), -ETIMEDOUT);
	FILCH_CALL(files, 1); /* whatever is made on first use is there */
	CHECK_IS(filch_connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	low = limit;
	low.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &low);
	CHECK_IS(filch_accept(l, NULL, NULL, 0), -EMFILE);
	CHECK_IS(filch_accept(l, NULL, NULL, 0), -EMFILE);
	CHECK_IS(filch_openat(AT_FDCWD, "/dev/null", O_RDONLY, 0), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &limit);
	got = filch_accept(l, NULL, NULL, 0);
	CHECK(got >= 0);
	filch_close(got);
	filch_close(fd);
	filch_close(l);
}

static void run_too_many(void)
{
	FILCH_RUN_ON(pool, too_many, 0);
}

#define EACH(name)                            \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		test_each_io(run_##name);     \
	}

EACH(create)
EACH(event)
EACH(control)
EACH(watch)
EACH(no_ring)
EACH(nothing)
EACH(busy)
EACH(busy_small)
EACH(too_many)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),   cmocka_unit_test(test_event),
		cmocka_unit_test(test_control),  cmocka_unit_test(test_watch),
		cmocka_unit_test(test_no_ring),  cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_busy),     cmocka_unit_test(test_busy_small),
		cmocka_unit_test(test_too_many),
	};

	disarm();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
