/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: an echo server by hand, one thread with epoll. It is a yardstick, so it
 * does no more than it must: two system calls a message, and one for many events.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/io/run.h"

#define EVENTS 512
#define BUFFER 16384

/* What could not be sent yet; rare. */
struct rest {
	size_t at, size;
	char data[];
};

struct server {
	const struct io_echo *e;
	int epoll;
	size_t accepted, closed;
	uint64_t sum;
	size_t rests_size; /* descriptors below this have a place in `rest` */
	struct rest **rest;
	char buffer[BUFFER];
};

static void watch(struct server *s, int op, int fd, uint32_t events)
{
	struct epoll_event e = {.events = events, .data.fd = fd};

	if (epoll_ctl(s->epoll, op, fd, &e))
		rounds_fail_errno("epoll_ctl", errno);
}

static void accept_all(struct server *s)
{
	int one = 1, fd;

	while ((fd = accept4(s->e->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >=
	       0) {
		if (!*s->e->path)
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		if ((size_t)fd >= s->rests_size)
			rounds_fail("a descriptor out of range");
		watch(s, EPOLL_CTL_ADD, fd, EPOLLIN);
		s->accepted++;
	}
	if (errno != EAGAIN && errno != ECONNABORTED)
		rounds_fail_errno("accept", errno);
}

static void keep_rest(struct server *s, int fd, const char *data, size_t size)
{
	struct rest *r = malloc(sizeof *r + size);

	if (!r)
		rounds_fail("there is not enough memory");
	r->at = 0;
	r->size = size;
	memcpy(r->data, data, size);
	s->rest[fd] = r;
	watch(s, EPOLL_CTL_MOD, fd, EPOLLOUT);
}

/* Bytes sent. */
static size_t send_some(struct server *s, int fd, const char *data, size_t size)
{
	ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN)
		rounds_fail_errno("send", errno);
	if (n < 0)
		return 0;
	s->sum += (uint64_t)n;
	return (size_t)n;
}

static void send_rest(struct server *s, int fd)
{
	struct rest *r = s->rest[fd];

	r->at += send_some(s, fd, r->data + r->at, r->size - r->at);
	if (r->at < r->size)
		return;
	s->rest[fd] = NULL;
	free(r);
	watch(s, EPOLL_CTL_MOD, fd, EPOLLIN);
}

static void echo(struct server *s, int fd)
{
	ssize_t n = recv(fd, s->buffer, sizeof s->buffer, 0);
	size_t sent;

	if (n < 0 && errno == EAGAIN)
		return;
	if (n < 0)
		rounds_fail_errno("recv", errno);
	if (n == 0) {
		close(fd);
		s->closed++;
		return;
	}
	sent = send_some(s, fd, s->buffer, (size_t)n);
	if (sent < (size_t)n)
		keep_rest(s, fd, s->buffer + sent, (size_t)n - sent);
}

static void happened(struct server *s, int fd)
{
	if (fd == s->e->listener)
		accept_all(s);
	else if (s->rest[fd])
		send_rest(s, fd);
	else
		echo(s, fd);
}

static void serve(struct server *s)
{
	struct epoll_event events[EVENTS];

	while (s->closed < s->e->connections) {
		int n = epoll_wait(s->epoll, events, EVENTS, IO_PATIENCE_MS);

		if (n == 0)
			rounds_fail("nobody connects");
		if (n < 0 && errno != EINTR)
			rounds_fail_errno("epoll_wait", errno);
		for (int i = 0; i < n; i++)
			happened(s, events[i].data.fd);
	}
}

bool io_echo_epoll(const struct rounds_run *run, double *out)
{
	struct server *s = rounds_allocate(1, sizeof *s);
	struct io_echo e;
	bool ok = io_echo_begin(&e, run);

	if (ok) {
		s->e = &e;
		s->epoll = epoll_create1(EPOLL_CLOEXEC);
		s->rests_size = e.connections + 1024;
		s->rest = rounds_allocate(s->rests_size, sizeof(struct rest *));
		fcntl(e.listener, F_SETFL, O_NONBLOCK);
		watch(s, EPOLL_CTL_ADD, e.listener, EPOLLIN);
		serve(s);
		close(s->epoll);
		free(s->rest);
		io_echo_end(&e, s->sum, out);
	}
	free(s);
	return ok;
}
