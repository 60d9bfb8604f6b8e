/* SPDX-License-Identifier: MIT */
/* Calls that end early: by a deadline, by cancelling, by closing the descriptor. */
#include "tests/io.h"

static struct sockaddr_in nowhere; /* connecting there takes for good */

/* ---- deadlines ---- */

/* Fills its buffers, so that a write would wait. TCP moves some from end to end first, on
 * a busy machine only after a while; and a write may find room that is not yet
 * told of. */
static void stuff(int fd)
{
	static const char zeros[65536];
	ssize_t n;

	do {
		uint64_t late = filch_after(20 * FILCH_MS);

		n = filch_write_until(fd, zeros, sizeof zeros, late);
		if (n < 0) {
			filch_sleep(50 * FILCH_MS);
			n = filch_write_until(fd, zeros, sizeof zeros, 0);
		}
	} while (n > 0);
}

static bool passed(uint64_t since, uint64_t ns)
{
	return filch_now() - since >= ns;
}

/* Whether a write, or with `send` a send, ends at its deadline. On a loaded machine the
 * kernel may find room in full buffers late; then they are filled once more. */
static bool ends_late(int fd, bool send, uint64_t ns)
{
	ssize_t n;
	uint64_t t;
	char c = 0;

	do {
		stuff(fd);
		t = filch_now();
		n = send ? filch_send_until(fd, &c, 1, 0, t + ns)
		         : filch_write_until(fd, &c, 1, t + ns);
	} while (n == 1);
	return n == -ETIMEDOUT && passed(t, ns);
}

FILCH_STATIC_TASK_VOID(deadlines, (int, kind))
{
	const uint64_t ns = 3 * FILCH_MS;
	uint64_t t = filch_now();
	char c;
	int fd[2];

	test_pair(kind, fd);
	CHECK_IS(filch_read_until(fd[0], &c, 1, t + ns), -ETIMEDOUT);
	CHECK(passed(t, ns));
	CHECK(ends_late(fd[1], false, ns));
	CHECK(ends_late(fd[1], false, 0));
	CHECK_IS(filch_read_until(fd[0], &c, 1, 0), 1); /* passed: tries all the same */
	if (kind != PAIR_PIPE) {
		t = filch_now();
		CHECK_IS(filch_recv_until(fd[1], &c, 1, 0, t + ns), -ETIMEDOUT);
		CHECK(passed(t, ns));
		CHECK(ends_late(fd[1], true, ns));
	}
	filch_close(fd[0]);
	filch_close(fd[1]);
}

FILCH_STATIC_TASK_VOID(more_deadlines, (int, unused))
{
	struct sockaddr_in a;
	int l = test_listen(1, &a), fd = socket(AF_INET, SOCK_STREAM, 0), r;
	uint64_t t = filch_now();

	(void)unused;
	CHECK_IS(filch_accept_until(l, NULL, NULL, 0, t + FILCH_MS), -ETIMEDOUT);
	CHECK_IS(filch_accept_until(l, NULL, NULL, 0, 0), -ETIMEDOUT);
	r = filch_connect_until(fd, (struct sockaddr *)&nowhere, sizeof nowhere,
	                        filch_after(FILCH_MS));
	CHECK(r == -ETIMEDOUT || r == -ENETUNREACH || r == -EHOSTUNREACH ||
	      r == -ECONNREFUSED || r == -EACCES || r == -EPERM || !r);
	filch_close(fd);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	CHECK_IS(filch_connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	r = filch_accept_until(l, NULL, NULL, 0, 0); /* passed: tries all the same */
	CHECK(r >= 0);
	filch_close(r);
	filch_close(fd);
	filch_close(l);
	r = filch_openat_until(AT_FDCWD, "/dev/null", O_RDONLY, 0, 0);
	CHECK(r >= 0 || r == -ETIMEDOUT);
	if (r >= 0)
		filch_close(r);
}

static void run_deadlines(void)
{
	for (int kind = 0; kind < PAIRS; kind++)
		FILCH_RUN_ON(pool, deadlines, kind);
	FILCH_RUN_ON(pool, more_deadlines, 0);
}

/* ---- cancelling ---- */

static _Atomic(int) ended;

enum { READS, WRITES, RECVS, SENDS, ACCEPTS, CONNECTS, POLLS, CALLS };

static ssize_t call(int which, int fd)
{
	static char c;

	switch (which) {
	case READS:
		return filch_read(fd, &c, 1);
	case WRITES:
		return filch_write_until(fd, &c, 1, filch_after(100 * FILCH_S));
	case RECVS:
		return filch_recv_until(fd, &c, 1, 0, filch_after(100 * FILCH_S));
	case SENDS:
		return filch_send(fd, &c, 1, 0);
	case ACCEPTS:
		return filch_accept(fd, NULL, NULL, 0);
	case CONNECTS:
		return filch_connect(fd, (struct sockaddr *)&nowhere, sizeof nowhere);
	default:
		return filch_poll(fd, POLLIN);
	}
}

/* A descriptor on which that call waits; the other end in *other. */
static int descriptor_for(int which, int *other)
{
	struct sockaddr_in a;
	int fd[2];

	*other = -1;
	if (which == ACCEPTS)
		return test_listen(1, &a);
	if (which == CONNECTS)
		return socket(AF_INET, SOCK_STREAM, 0);
	test_pair(PAIR_UNIX, fd);
	if (which == WRITES || which == SENDS)
		stuff(fd[0]);
	*other = fd[1];
	return fd[0];
}

FILCH_STATIC_TASK_VOID(is_ended, (int, which), (int, fd), (int, how))
{
	ssize_t r = call(which, fd);

	CHECK(r == how || (which == CONNECTS && r != -ETIMEDOUT));
	CHECK(how != -ECANCELED || which == CONNECTS || call(which, fd) == -ECANCELED);
	add_rlx(&ended, 1); /* counted */
}

FILCH_STATIC_TASK_VOID(cancels, (int, which))
{
	int other, fd = descriptor_for(which, &other);
	struct filch_group g;

	store_rlx(&ended, 0); /* nobody else is there */
	filch_group_begin(&g);
	for (int i = 0; i < 20; i++)
		FILCH_GROUP_SPAWN(&g, is_ended, which, fd, -ECANCELED);
	filch_sleep(2 * FILCH_MS);
	filch_group_cancel(&g);
	filch_group_cancel(&g);
	CHECK_IS(filch_group_wait(&g), -ECANCELED);
	CHECK(load_rlx(&ended) <= 20); /* all done */
	filch_close(fd);
	if (other >= 0)
		filch_close(other);
}

/* A cancelled task's calls do not begin. */
FILCH_STATIC_TASK_VOID(dead, (struct filch_group *, g))
{
	struct filch_dir *d;
	char c = 0;

	filch_group_cancel(g);
	CHECK_IS(filch_openat(AT_FDCWD, "/dev/null", O_RDONLY, 0), -ECANCELED);
	CHECK_IS(filch_read(0, &c, 1), -ECANCELED);
	CHECK_IS(filch_dir_open(&d, AT_FDCWD, "/"), -ECANCELED);
	CHECK_IS(filch_close(dup(1)), 0); /* this does */
	add_rlx(&ended, 1);               /* counted */
}

FILCH_STATIC_TASK_VOID(too_late, (int, unused))
{
	struct filch_group g;

	(void)unused;
	store_rlx(&ended, 0); /* nobody else is there */
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, dead, &g);
	CHECK_IS(filch_group_wait(&g), -ECANCELED);
	CHECK_IS(load_rlx(&ended), 1); /* all done */
}

static void run_cancelling(void)
{
	for (int which = 0; which < CALLS; which++)
		FILCH_RUN_ON(pool, cancels, which);
	FILCH_RUN_ON(pool, too_late, 0);
}

/* ---- closing ---- */

FILCH_STATIC_TASK_VOID(closes, (int, which))
{
	int other, fd = descriptor_for(which, &other);
	struct filch_group g;

	store_rlx(&ended, 0);   /* nobody else is there */
	filch_poll(1, POLLOUT); /* the pool's own descriptors are there from now on */
	filch_group_begin(&g);
	for (int i = 0; i < 20; i++)
		FILCH_GROUP_SPAWN(&g, is_ended, which, fd, -EBADF);
	filch_sleep(3 * FILCH_MS);
	CHECK_IS(filch_close(fd), 0);
	CHECK_IS(filch_group_wait(&g), 0);
	CHECK_IS(load_rlx(&ended), 20); /* all done */
	if (other >= 0)
		filch_close(other);
}

static void run_closing(void)
{
	for (int which = 0; which < CALLS; which++)
		if (which != CONNECTS)
			FILCH_RUN_ON(pool, closes, which);
}

/* ---- numbers that come again ---- */

/* The same numbers are other things each time. */
FILCH_STATIC_TASK_VOID(reuse, (int, n))
{
	char c;
	int fd[2];

	for (int i = 0; i < n; i++) {
		test_pair(i % PAIRS, fd);
		CHECK_IS(filch_read_until(fd[0], &c, 1, filch_after(FILCH_MS / 4)),
		         -ETIMEDOUT);
		CHECK_IS(filch_write(fd[1], "a", 1), 1);
		CHECK_IS(filch_read(fd[0], &c, 1), 1);
		filch_close(fd[0]);
		filch_close(fd[1]);
	}
}

FILCH_STATIC_TASK_VOID(reads_one, (int, fd))
{
	char c[2];

	CHECK_IS(filch_recv_until(fd, c, 2, 0, filch_after(10 * FILCH_S)), 1);
}

/* And that is noticed, for what these calls have opened, if it was closed behind our
 * back. */
FILCH_STATIC_TASK_VOID(reuse_accepted, (int, n))
{
	struct sockaddr_in a;
	int l = test_listen(4, &a), fd, peer;

	for (int i = 0; i < n; i++) {
		peer = socket(AF_INET, SOCK_STREAM, 0);
		CHECK_IS(connect(peer, (struct sockaddr *)&a, sizeof a), 0);
		fd = filch_accept(l, NULL, NULL, 0);
		FILCH_SPAWN(r, reads_one, fd);
		filch_sleep(FILCH_MS);
		CHECK_IS(send(peer, "x", 1, 0), 1);
		FILCH_JOIN(r);
		close(fd);
		close(peer);
	}
	filch_close(l);
}

static void run_reuse(void)
{
	FILCH_RUN_ON(pool, reuse, 30);
	FILCH_RUN_ON(pool, reuse_accepted, 10);
}

/* ---- errno ---- */

FILCH_STATIC_TASK_VOID(keeps_errno, (int, unused))
{
	int fd[2];
	char c;

	(void)unused;
	test_pair(PAIR_TCP, fd);
	errno = 4711;
	filch_read_until(fd[0], &c, 1, 0);
	filch_write(-1, &c, 1);
	filch_openat(AT_FDCWD, "/none/such", O_RDONLY, 0);
	filch_close(-1);
	if (filch_pool_workers(pool) == 1) /* else it may be another thread's */
		CHECK_IS(errno, 4711);
	filch_close(fd[0]);
	filch_close(fd[1]);
}

static void run_errno(void)
{
	FILCH_RUN_ON(pool, keeps_errno, 0);
}

#define EACH(name)                            \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		test_each_io(run_##name);     \
	}

EACH(deadlines)
EACH(cancelling)
EACH(closing)
EACH(reuse)
EACH(errno)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlines), cmocka_unit_test(test_cancelling),
		cmocka_unit_test(test_closing),   cmocka_unit_test(test_reuse),
		cmocka_unit_test(test_errno),
	};

	nowhere = (struct sockaddr_in){.sin_family = AF_INET,
	                               .sin_port = htons(9),
	                               .sin_addr.s_addr = htonl(0xc0000201)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
