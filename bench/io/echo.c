/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: echo servers with a strand, or a thread, for each connection.
 */
#include <errno.h>
#include <filch/future.h>
#include <filch/io.h>
#include <filch/task.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/io/run.h"

#define BUFFER 1024

static void no_delay(const struct io_echo *e, int fd)
{
	int one = 1;

	if (!*e->path)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

/* ---- strands ---- */

/* Bytes that it has sent back. */
FILCH_STATIC_TASK(uint64_t, echo_strand, (int, fd))
{
	char buffer[BUFFER];
	uint64_t sum = 0;
	ssize_t n;

	while ((n = filch_recv(fd, buffer, sizeof buffer, 0)) > 0)
		for (ssize_t at = 0, sent; at < n; at += sent, sum += (uint64_t)sent) {
			sent = filch_send(fd, buffer + at, (size_t)(n - at), 0);
			if (sent < 0)
				rounds_fail_errno("send", (int)-sent);
		}
	if (n < 0)
		rounds_fail_errno("recv", (int)-n);
	filch_close(fd);
	return sum;
}

FILCH_STATIC_TASK(uint64_t, serve, (const struct io_echo *, e))
{
	struct filch_future **f = rounds_allocate(e->connections, sizeof *f);
	uint64_t deadline = filch_after(IO_PATIENCE_MS * FILCH_MS), sum = 0;

	for (size_t i = 0; i < e->connections; i++) {
		int fd = filch_accept_until(e->listener, NULL, NULL, SOCK_CLOEXEC,
		                            deadline);

		if (fd < 0)
			rounds_fail_errno("accept", -fd);
		no_delay(e, fd);
		f[i] = FILCH_GO(echo_strand, fd);
		if (!f[i])
			rounds_fail("there is no memory for a future");
	}
	for (size_t i = 0; i < e->connections; i++) {
		sum += FILCH_AWAIT(echo_strand, f[i]);
		filch_future_drop(f[i]);
	}
	free(f);
	return sum;
}

bool io_echo_filch(const struct rounds_run *run, double *out)
{
	struct io_echo e;

	if (!io_echo_begin(&e, run))
		return false;
	io_echo_end(&e, FILCH_RUN_ON(run->pool, serve, &e), out);
	return true;
}

/* ---- threads ---- */

struct echo_thread {
	pthread_t thread;
	int fd;
	uint64_t sum;
};

static void *echo_main(void *arg)
{
	struct echo_thread *t = arg;
	char buffer[BUFFER];
	ssize_t n;

	while ((n = recv(t->fd, buffer, sizeof buffer, 0)) > 0)
		for (ssize_t at = 0, sent; at < n; at += sent, t->sum += (uint64_t)sent) {
			sent = send(t->fd, buffer + at, (size_t)(n - at), MSG_NOSIGNAL);
			if (sent < 0)
				return NULL; /* the sum will say so */
		}
	close(t->fd);
	return NULL;
}

static bool start_thread(struct echo_thread *t)
{
	pthread_attr_t a;
	int r;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 64 << 10);
	r = pthread_create(&t->thread, &a, echo_main, t);
	pthread_attr_destroy(&a);
	return !r;
}

static int accept_one(const struct io_echo *e)
{
	struct pollfd p = {.fd = e->listener, .events = POLLIN};
	int fd;

	if (poll(&p, 1, IO_PATIENCE_MS) != 1)
		rounds_fail("nobody connects");
	fd = accept4(e->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		rounds_fail_errno("accept", errno);
	no_delay(e, fd);
	return fd;
}

/* How many could be started. */
static size_t start_threads(const struct io_echo *e, struct echo_thread *t)
{
	for (size_t i = 0; i < e->connections; i++) {
		t[i].fd = accept_one(e);
		if (!start_thread(&t[i])) {
			close(t[i].fd);
			return i;
		}
	}
	return e->connections;
}

bool io_echo_thread(const struct rounds_run *run, double *out)
{
	struct echo_thread *t = rounds_allocate(run->size, sizeof *t);
	struct io_echo e;
	uint64_t sum = 0;
	size_t n;

	if (!io_echo_begin(&e, run)) {
		free(t);
		return false;
	}
	n = start_threads(&e, t);
	if (n < e.connections)
		io_echo_give_up(&e); /* which ends the threads, too */
	for (size_t i = 0; i < n; i++) {
		pthread_join(t[i].thread, NULL);
		sum += t[i].sum;
	}
	free(t);
	if (n < e.connections)
		return rounds_skip("the system refuses so many threads");
	io_echo_end(&e, sum, out);
	return true;
}
