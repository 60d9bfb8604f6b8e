/* SPDX-License-Identifier: MIT */
/* Descriptors that can be polled: every call, on pipes, sockets, terminals, eventfds. */
#include <sys/eventfd.h>
#include <sys/un.h>

#include "tests/io.h"

/* ---- a byte in time ---- */

FILCH_STATIC_TASK_VOID(write_later, (int, fd), (char, c))
{
	filch_sleep(2 * FILCH_MS);
	CHECK_IS(filch_write(fd, &c, 1), 1);
}

/* Reads that find nothing wait; blocking descriptors stay so. */
FILCH_STATIC_TASK_VOID(reads_wait, (int, kind))
{
	char buffer[8];
	int fd[2];

	test_pair(kind, fd);
	for (char c = 'a'; c < 'd'; c++) {
		FILCH_SPAWN(w, write_later, fd[1], c);
		CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 1);
		CHECK_IS(buffer[0], c);
		FILCH_JOIN(w);
	}
	CHECK(!(fcntl(fd[0], F_GETFL) & O_NONBLOCK));
	CHECK_IS(filch_write(fd[1], "xyz", 3), 3);
	CHECK_IS(filch_close(fd[1]), 0);
	CHECK_IS(filch_read(fd[0], buffer, 2), 2);
	CHECK_IS(filch_read(fd[0], buffer, 0), 0);
	CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 1);
	CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 0);
	CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 0);
	CHECK_IS(filch_close(fd[0]), 0);
}

static void run_reads(void)
{
	for (int kind = 0; kind < PAIRS; kind++)
		FILCH_RUN_ON(pool, reads_wait, kind);
}

/* ---- more than fits ---- */

#define MUCH (4 << 20)

FILCH_STATIC_TASK_VOID(write_much, (int, fd))
{
	char *data = malloc(MUCH);
	size_t n = 0;

	for (size_t i = 0; i < MUCH; i++)
		data[i] = (char)(i * 7 >> 3);
	while (n < MUCH) {
		ssize_t r = filch_write(fd, data + n, MUCH - n);

		CHECK(r > 0);
		if (r <= 0)
			break;
		n += (size_t)r;
	}
	filch_close(fd);
	free(data);
}

FILCH_STATIC_TASK_VOID(much, (int, kind))
{
	char buffer[3000];
	int fd[2];
	size_t n = 0;
	ssize_t r;

	test_pair(kind, fd);
	FILCH_SPAWN(w, write_much, fd[1]);
	while ((r = filch_read(fd[0], buffer, sizeof buffer)) > 0)
		for (ssize_t i = 0; i < r; i++, n++)
			if (buffer[i] != (char)(n * 7 >> 3)) {
				CHECK_IS(n, -1);
				i = r;
			}
	CHECK_IS(r, 0);
	CHECK_IS(n, MUCH);
	FILCH_JOIN(w);
	filch_close(fd[0]);
}

static void run_much(void)
{
	for (int kind = 0; kind < PAIRS; kind++)
		FILCH_RUN_ON(pool, much, kind);
}

/* ---- vectors, messages ---- */

FILCH_STATIC_TASK_VOID(vectors, (int, kind))
{
	char a[3], b[5], c[9];
	struct iovec out[3] = {{"ab", 2}, {"", 0}, {"cdefgh", 6}};
	struct iovec in[3] = {{a, sizeof a}, {b, sizeof b}, {c, sizeof c}};
	int fd[2];

	test_pair(kind, fd);
	CHECK_IS(filch_writev(fd[1], out, 3), 8);
	CHECK_IS(filch_readv(fd[0], in, 3), 8);
	CHECK(!memcmp(a, "abc", 3) && !memcmp(b, "defgh", 5));
	CHECK_IS(filch_readv(fd[0], in, 0), 0);
	CHECK_IS(filch_readv(fd[0], in, -1), -EINVAL);
	CHECK_IS(filch_readv_until(fd[0], in, 3, filch_after(FILCH_MS)), -ETIMEDOUT);
	filch_close(fd[0]);
	CHECK_IS(filch_pread(fd[1], a, 1, 0), -ESPIPE);
	filch_close(fd[1]);
}

FILCH_STATIC_TASK_VOID(send_parts, (int, fd))
{
	CHECK_IS(filch_send(fd, "123", 3, 0), 3);
	filch_sleep(FILCH_MS);
	CHECK_IS(filch_send(fd, "456", 3, 0), 3);
	filch_sleep(FILCH_MS);
	CHECK_IS(filch_send(fd, "789", 3, MSG_DONTWAIT), 3);
}

FILCH_STATIC_TASK_VOID(messages, (int, kind))
{
	char buffer[16];
	int fd[2];

	test_pair(kind, fd);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, MSG_DONTWAIT), -EAGAIN);
	FILCH_SPAWN(p, send_parts, fd[1]);
	CHECK_IS(filch_recv(fd[0], buffer, 9, MSG_WAITALL), 9);
	CHECK(!memcmp(buffer, "123456789", 9));
	FILCH_JOIN(p);
	CHECK_IS(filch_send(fd[1], "ab", 2, 0), 2);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, MSG_PEEK), 2);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, MSG_PEEK), 2);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, 0), 2);
	CHECK_IS(shutdown(fd[1], SHUT_WR), 0);
	CHECK_IS(filch_recv(fd[0], buffer, 5, MSG_WAITALL), 0);
	CHECK_IS(filch_send(fd[0], "still", 5, 0), 5); /* half of it is open */
	CHECK_IS(filch_recv(fd[1], buffer, 5, MSG_WAITALL), 5);
	filch_close(fd[1]);
	filch_close(fd[0]);
}

/* Data and the end at once: a short read does not say that nothing more is to come. */
FILCH_STATIC_TASK_VOID(last_words, (int, kind))
{
	char buffer[16];
	int fd[2];

	test_pair(kind, fd);
	CHECK_IS(filch_read_until(fd[0], buffer, sizeof buffer, filch_after(FILCH_MS)),
	         -ETIMEDOUT); /* it is watched from here on */
	CHECK_IS(write(fd[1], "bye", 3), 3);
	close(fd[1]);
	CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 3);
	CHECK_IS(filch_read(fd[0], buffer, sizeof buffer), 0);
	filch_close(fd[0]);
}

FILCH_STATIC_TASK_VOID(datagrams, (int, type))
{
	char buffer[16];
	int fd[2];

	CHECK_IS(socketpair(AF_UNIX, type, 0, fd), 0);
	CHECK_IS(filch_send(fd[1], "a", 1, 0), 1);
	CHECK_IS(filch_send(fd[1], "bc", 2, 0), 2);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, 0), 1);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, MSG_WAITALL), 2);
	CHECK_IS(filch_send(fd[1], "long", 4, 0), 4);
	CHECK_IS(filch_send(fd[1], "next", 4, 0), 4);
	CHECK_IS(filch_recv(fd[0], buffer, 1, MSG_WAITALL | MSG_TRUNC), 4);
	CHECK_IS(filch_recv(fd[0], buffer, sizeof buffer, 0), 4);
	CHECK_IS(filch_recv_until(fd[0], buffer, 1, 0, filch_after(FILCH_MS)),
	         -ETIMEDOUT);
	filch_close(fd[0]);
	filch_close(fd[1]);
}

static void run_messages(void)
{
	for (int kind = 0; kind < PAIRS; kind++) {
		FILCH_RUN_ON(pool, vectors, kind);
		FILCH_RUN_ON(pool, last_words, kind);
		if (kind != PAIR_PIPE)
			FILCH_RUN_ON(pool, messages, kind);
	}
	FILCH_RUN_ON(pool, datagrams, SOCK_DGRAM);
	FILCH_RUN_ON(pool, datagrams, SOCK_SEQPACKET);
}

/* ---- connections ---- */

FILCH_STATIC_TASK_VOID(client, (const struct sockaddr *, a), (socklen_t, size))
{
	int fd = socket(a->sa_family, SOCK_STREAM, 0);
	char c = 0;

	filch_sleep(FILCH_MS);
	CHECK_IS(filch_connect(fd, a, size), 0);
	CHECK(!(fcntl(fd, F_GETFL) & O_NONBLOCK));
	CHECK_IS(filch_send(fd, "?", 1, 0), 1);
	CHECK_IS(filch_recv(fd, &c, 1, 0), 1);
	CHECK_IS(c, '!');
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(connections, (int, nonblock))
{
	struct sockaddr_in a, from;
	socklen_t size = sizeof from;
	int l = test_listen(16, &a), fd;
	char c;

	CHECK_IS(fcntl(l, F_SETFL, nonblock), 0);
	for (int i = 0; i < 3; i++) {
		FILCH_SPAWN(x, client, (struct sockaddr *)&a, sizeof a);
		fd = filch_accept(l, (struct sockaddr *)&from, &size, SOCK_CLOEXEC);
		CHECK(fd >= 0);
		CHECK_IS(from.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
		CHECK_IS(fcntl(fd, F_GETFD), FD_CLOEXEC);
		CHECK_IS(filch_recv(fd, &c, 1, 0), 1);
		CHECK_IS(filch_send(fd, "!", 1, 0), 1);
		CHECK_IS(filch_recv(fd, &c, 1, 0), 0);
		filch_close(fd);
		FILCH_JOIN(x);
	}
	CHECK_IS(filch_accept_until(l, NULL, NULL, 0, filch_after(FILCH_MS)), -ETIMEDOUT);
	CHECK_IS(fcntl(l, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	filch_close(l);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	CHECK_IS(filch_recv(fd, &c, 1, 0), -ENOTCONN);
	CHECK_IS(filch_connect(fd, (struct sockaddr *)&a, sizeof a), -ECONNREFUSED);
	filch_close(fd);
}

/* A Unix socket refuses with EAGAIN what finds no place in its queue. */
FILCH_STATIC_TASK_VOID(knock, (struct sockaddr_un *, a), (uint64_t, deadline),
                       (int, result))
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	CHECK_IS(filch_connect_until(fd, (struct sockaddr *)a, sizeof *a, deadline),
	         result);
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(full_queue, (int, unused))
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int l = socket(AF_UNIX, SOCK_STREAM, 0), fd;

	(void)unused;
	snprintf(a.sun_path + 1, 50, "filch-test-%d-%p", getpid(), (void *)&a);
	CHECK_IS(bind(l, (struct sockaddr *)&a, sizeof a), 0);
	CHECK_IS(listen(l, 0), 0);
	FILCH_CALL(knock, &a, FILCH_NEVER, 0);
	FILCH_CALL(knock, &a, filch_after(5 * FILCH_MS), -ETIMEDOUT);
	FILCH_CALL(knock, &a, 0, -ETIMEDOUT);
	FILCH_SPAWN(x, knock, &a, FILCH_NEVER, 0);
	filch_sleep(3 * FILCH_MS);
	for (int i = 0; i < 2; i++) {
		fd = filch_accept(l, NULL, NULL, 0);
		CHECK(fd >= 0);
		filch_close(fd);
	}
	FILCH_JOIN(x);
	filch_close(l);
}

static void run_connections(void)
{
	FILCH_RUN_ON(pool, connections, 0);
	FILCH_RUN_ON(pool, connections, O_NONBLOCK);
	FILCH_RUN_ON(pool, full_queue, 0);
}

/* ---- peers that go ---- */

FILCH_STATIC_TASK_VOID(reset_later, (int, fd))
{
	filch_sleep(2 * FILCH_MS);
	test_reset(fd);
}

FILCH_STATIC_TASK_VOID(resets, (int, unused))
{
	char c;
	int fd[2];

	(void)unused;
	test_tcp_pair(fd);
	FILCH_SPAWN(x, reset_later, fd[1]);
	CHECK_IS(filch_read(fd[0], &c, 1), -ECONNRESET);
	FILCH_JOIN(x);
	CHECK_IS(filch_write(fd[0], &c, 1), -EPIPE); /* and no signal */
	CHECK_IS(filch_read(fd[0], &c, 1), 0);
	filch_close(fd[0]);

	test_tcp_pair(fd); /* with both directions in use */
	CHECK_IS(filch_write(fd[1], "abc", 3), 3);
	test_reset(fd[1]);
	CHECK_IS(filch_poll(fd[0], POLLIN) & POLLHUP, POLLHUP);
	CHECK_IS(filch_send(fd[0], &c, 1, 0), -ECONNRESET);
	filch_close(fd[0]);

	CHECK_IS(pipe(fd), 0);
	filch_close(fd[0]);
	CHECK_IS(filch_write(fd[1], "x", 1), -EPIPE); /* ignored here, see main() */
	filch_close(fd[1]);
}

static void run_resets(void)
{
	FILCH_RUN_ON(pool, resets, 0);
}

/* ---- other things that can be polled ---- */

static int open_terminal(int *end)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd < 0 || grantpt(fd) || unlockpt(fd))
		return -1;
	*end = open(ptsname(fd), O_RDWR | O_NOCTTY);
	return fd;
}

FILCH_STATIC_TASK_VOID(terminals, (int, unused))
{
	char buffer[64];
	int end, fd = open_terminal(&end);

	(void)unused;
	if (fd < 0 || end < 0) {
		printf("no terminal is to be had here\n");
		return;
	}
	CHECK_IS(filch_read_until(end, buffer, sizeof buffer, filch_after(FILCH_MS)),
	         -ETIMEDOUT);
	FILCH_SPAWN(w, write_later, fd, '\n');
	CHECK_IS(filch_read(end, buffer, sizeof buffer), 1);
	FILCH_JOIN(w);
	CHECK_IS(filch_write(end, "ok", 2), 2);
	CHECK(filch_read(fd, buffer, sizeof buffer) > 0);
	filch_close(end);
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(add_later, (int, fd), (uint64_t, n))
{
	filch_sleep(FILCH_MS);
	CHECK_IS(filch_write(fd, &n, sizeof n), sizeof n);
}

FILCH_STATIC_TASK_VOID(counters, (int, flags))
{
	uint64_t n = 0, most = UINT64_MAX - 1;
	int fd = eventfd(0, flags);

	FILCH_SPAWN(x, add_later, fd, 7);
	CHECK_IS(filch_read(fd, &n, sizeof n), sizeof n);
	CHECK_IS(n, 7);
	FILCH_JOIN(x);
	CHECK_IS(filch_write(fd, &most, sizeof most), sizeof most);
	FILCH_SPAWN(y, add_later, fd, 5); /* until there is room */
	filch_sleep(3 * FILCH_MS);
	CHECK_IS(filch_read(fd, &n, sizeof n), sizeof n);
	FILCH_JOIN(y);
	CHECK_IS(filch_read(fd, &n, sizeof n), sizeof n);
	CHECK_IS(n, 5);
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(polls, (int, kind))
{
	char c;
	int fd[2];

	test_pair(kind, fd);
	CHECK_IS(filch_poll_until(fd[0], POLLIN, filch_after(FILCH_MS)), -ETIMEDOUT);
	CHECK_IS(filch_poll_until(fd[0], POLLIN, 0), -ETIMEDOUT);
	CHECK_IS(filch_poll_until(fd[0], 0, filch_after(FILCH_MS)), -ETIMEDOUT);
	CHECK_IS(filch_poll(fd[1], POLLOUT), POLLOUT);
	FILCH_SPAWN(w, write_later, fd[1], 'x');
	CHECK_IS(filch_poll(fd[0], POLLIN), POLLIN);
	FILCH_JOIN(w);
	CHECK_IS(filch_poll(fd[0], POLLIN | POLLPRI),
	         POLLIN); /* as long as it is there */
	CHECK_IS(filch_read(fd[0], &c, 1), 1);
	filch_close(fd[1]);
	CHECK(filch_poll(fd[0], POLLIN | POLLRDHUP) & (POLLHUP | POLLRDHUP));
	filch_close(fd[0]);
	CHECK_IS(filch_poll(fd[0], POLLIN), -EBADF);
}

static void run_others(void)
{
	FILCH_RUN_ON(pool, terminals, 0);
	FILCH_RUN_ON(pool, counters, 0);
	FILCH_RUN_ON(pool, counters, EFD_NONBLOCK);
	for (int kind = 0; kind < PAIRS; kind++)
		FILCH_RUN_ON(pool, polls, kind);
}

/* ---- several at once ---- */

FILCH_STATIC_TASK(long, sum_up, (int, fd))
{
	unsigned char buffer[100];
	long sum = 0;
	ssize_t r;

	while ((r = filch_read(fd, buffer, sizeof buffer)) > 0)
		for (ssize_t i = 0; i < r; i++)
			sum += buffer[i];
	CHECK_IS(r, 0);
	return sum;
}

/* Several readers of one descriptor get all there is, and each sees the end. */
FILCH_STATIC_TASK_VOID(readers, (int, kind))
{
	FILCH_FRAME(sum_up) reader[4];
	unsigned char data[50];
	long sum = 0, sent = 0;
	int fd[2];

	test_pair(kind, fd);
	for (int i = 0; i < 4; i++)
		FILCH_SPAWN_AT(&reader[i], sum_up, fd[0]);
	for (int i = 0; i < 200; i++) {
		memset(data, i, sizeof data);
		CHECK_IS(filch_write(fd[1], data, sizeof data), sizeof data);
		sent += (long)sizeof data * i;
		if (i % 16 == 0)
			filch_sleep(FILCH_MS / 4);
	}
	filch_close(fd[1]);
	for (int i = 0; i < 4; i++)
		sum += FILCH_JOIN_AT(&reader[i], sum_up);
	CHECK_IS(sum, sent);
	filch_close(fd[0]);
}

/* Both directions of both ends at the same time. */
FILCH_STATIC_TASK_VOID(drain, (int, fd))
{
	char buffer[5000];
	size_t n = 0;
	ssize_t r;

	while (n < MUCH && (r = filch_read(fd, buffer, sizeof buffer)) > 0)
		n += (size_t)r;
	CHECK_IS(n, MUCH);
}

FILCH_STATIC_TASK_VOID(fill, (int, fd))
{
	static const char zeros[70000];
	size_t n = 0;
	ssize_t r;

	while (n < MUCH) {
		r = filch_write(fd, zeros,
		                MUCH - n < sizeof zeros ? MUCH - n : sizeof zeros);
		CHECK(r > 0);
		n += r > 0 ? (size_t)r : MUCH;
	}
}

FILCH_STATIC_TASK_VOID(both_ways, (int, kind))
{
	int fd[2];

	test_pair(kind, fd);
	FILCH_SPAWN(a, drain, fd[0]);
	FILCH_SPAWN(b, fill, fd[0]);
	FILCH_SPAWN(c, drain, fd[1]);
	FILCH_CALL(fill, fd[1]);
	FILCH_JOIN(c);
	FILCH_JOIN(b);
	FILCH_JOIN(a);
	filch_close(fd[0]);
	filch_close(fd[1]);
}

static void run_several(void)
{
	for (int kind = 0; kind < PAIRS; kind++)
		FILCH_RUN_ON(pool, readers, kind);
	FILCH_RUN_ON(pool, both_ways, PAIR_TCP);
	FILCH_RUN_ON(pool, both_ways, PAIR_UNIX);
}

/* ---- tests ---- */

#define EACH(name)                            \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		test_each_io(run_##name);     \
	}

EACH(reads)
EACH(much)
EACH(messages)
EACH(connections)
EACH(resets)
EACH(others)
EACH(several)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),    cmocka_unit_test(test_much),
		cmocka_unit_test(test_messages), cmocka_unit_test(test_connections),
		cmocka_unit_test(test_resets),   cmocka_unit_test(test_others),
		cmocka_unit_test(test_several),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
