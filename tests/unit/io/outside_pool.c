/* SPDX-License-Identifier: MIT */
/* The calls of filch/io.h on threads outside a pool, and between such threads and strands. */
#include <pthread.h>

#include "tests/io.h"

static void *write_later(void *arg)
{
	int fd = *(int *)arg;

	filch_sleep(2 * FILCH_MS);
	CHECK_IS(filch_write(fd, "x", 1), 1);
	return NULL;
}

static void test_pairs(void **state)
{
	(void)state;
	store_rlx(&wrong, 0); /* nobody else is there */
	for (int kind = 0; kind < PAIRS; kind++) {
		pthread_t t;
		char c;
		int fd[2];

		test_pair(kind, fd);
		CHECK_IS(fcntl(fd[0], F_SETFL, kind == PAIR_UNIX ? O_NONBLOCK : 0), 0);
		CHECK_IS(filch_read_until(fd[0], &c, 1, 0), -ETIMEDOUT);
		CHECK_IS(filch_read_until(fd[0], &c, 1, filch_after(FILCH_MS)),
		         -ETIMEDOUT);
		CHECK_IS(filch_poll_until(fd[0], POLLIN, filch_after(FILCH_MS)),
		         -ETIMEDOUT);
		for (int i = 0; i < 2; i++) {
			pthread_create(&t, NULL, write_later, &fd[1]);
			CHECK_IS(filch_read_until(fd[0], &c, 1,
			                          i ? FILCH_NEVER
			                            : filch_after(100 * FILCH_S)),
			         1);
			pthread_join(t, NULL);
		}
		CHECK_IS(filch_close(fd[1]), 0);
		CHECK_IS(filch_read(fd[0], &c, 1), 0);
		CHECK_IS(filch_close(fd[0]), 0);
		CHECK_IS(filch_read(fd[0], &c, 1), -EBADF);
	}
	assert_int_equal(load_rlx(&wrong), 0); /* all done */
}

static void *client(void *arg)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char c = 0;

	CHECK_IS(filch_connect_until(fd, arg, sizeof(struct sockaddr_in),
	                             filch_after(10 * FILCH_S)),
	         0);
	CHECK_IS(filch_recv(fd, &c, 1, 0), 1);
	CHECK_IS(filch_recv(fd, &c, 1, MSG_WAITALL), 0);
	CHECK(!(fcntl(fd, F_GETFL) & O_NONBLOCK));
	test_reset(fd);
	return NULL;
}

static void test_connections(void **state)
{
	struct sockaddr_in a;
	int l = test_listen(4, &a), fd;
	char c;

	(void)state;
	store_rlx(&wrong, 0); /* nobody else is there */
	CHECK_IS(filch_accept_until(l, NULL, NULL, 0, filch_after(FILCH_MS)), -ETIMEDOUT);
	for (int i = 0; i < 2; i++) {
		pthread_t t;

		pthread_create(&t, NULL, client, &a);
		fd = i ? filch_accept(l, NULL, NULL, 0)
		       : filch_accept_until(l, NULL, NULL, 0, filch_after(10 * FILCH_S));
		CHECK(fd >= 0);
		CHECK_IS(filch_send(fd, "x", 1, 0), 1);
		shutdown(fd, SHUT_WR);
		CHECK_IS(filch_recv(fd, &c, 1, 0), -ECONNRESET);
		CHECK_IS(filch_send(fd, "x", 1, 0), -EPIPE);
		pthread_join(t, NULL);
		filch_close(fd);
	}
	filch_close(l);
	assert_int_equal(load_rlx(&wrong), 0); /* all done */
}

static void test_files(void **state)
{
	struct filch_dir *d;
	struct filch_dirent e;
	struct statx s;
	char c = 0;
	int fd = filch_openat(AT_FDCWD, "/dev/zero", O_RDWR, 0), n = 0;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(filch_read(fd, &c, 1), 1);
	assert_int_equal(filch_pread(fd, &c, 1, 0), 1);
	assert_int_equal(filch_write(fd, &c, 1), 1);
	assert_int_equal(filch_statx(fd, "", AT_EMPTY_PATH, STATX_MODE, &s), 0);
	assert_int_equal(filch_fsync(fd), -EINVAL);
	assert_int_equal(filch_close(fd), 0);
	assert_int_equal(filch_dir_open(&d, AT_FDCWD, "/proc/self"), 0);
	while (filch_dir_next(d, &e) == 1)
		n++;
	assert_true(n > 10);
	filch_dir_close(d);
}

/* ---- with strands ---- */

/* The pool's own descriptors are there after this, and take no number that is closed. */
FILCH_STATIC_TASK_VOID(settle, (int, fd))
{
	CHECK(filch_poll(fd, POLLOUT) > 0);
}

FILCH_STATIC_TASK_VOID(wait_for_end, (int, fd), (int, how))
{
	char c;

	CHECK_IS(filch_read(fd, &c, 1), how);
}

static void *close_later(void *arg)
{
	filch_sleep(3 * FILCH_MS);
	CHECK_IS(filch_close(*(int *)arg), 0);
	return NULL;
}

/* A thread closes what a strand waits for. */
static void run_closing(void)
{
	for (int kind = 0; kind < PAIRS; kind++) {
		pthread_t t;
		int fd[2];

		test_pair(kind, fd);
		FILCH_RUN_ON(pool, settle, fd[1]);
		pthread_create(&t, NULL, close_later, &fd[0]);
		FILCH_RUN_ON(pool, wait_for_end, fd[0], -EBADF);
		pthread_join(t, NULL);
		filch_close(fd[1]);
	}
}

static void test_closing(void **state)
{
	(void)state;
	test_each_io(run_closing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_closing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
