/* SPDX-License-Identifier: MIT */
/* Accepts connections, takes signals, and stops. */
#include "cmd/serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <filch/future.h>
#include <filch/io.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd/serve/connection.h"

#define BACKLOG 65535
#define BACKOFF_NS (20 * FILCH_MS) /* a pause when there are no descriptors left */
#define DRAIN_NS (20 * FILCH_MS)   /* between two searches for idle connections */
#define REFUSALS 32                /* connections beyond the limit that get an answer */

/* ---- the listener ---- */

static bool read_address(const char *text, size_t port, union address *a, socklen_t *size)
{
	memset(a, 0, sizeof *a);
	if (inet_pton(AF_INET, text, &a->v4.sin_addr) == 1) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons((uint16_t)port);
		*size = sizeof a->v4;
		return true;
	}
	if (inet_pton(AF_INET6, text, &a->v6.sin6_addr) != 1)
		return false;
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons((uint16_t)port);
	*size = sizeof a->v6;
	return true;
}

/* Accepted connections inherit TCP_NODELAY: small writes are sent at once. */
static int bind_and_listen(int fd, union address *a, socklen_t size)
{
	int one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (a->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
	return bind(fd, &a->any, size) || listen(fd, BACKLOG) ||
	                       getsockname(fd, &a->any, &size)
	               ? -errno
	               : 0;
}

int server_listen(struct server *s, const char *address, size_t *port)
{
	union address a;
	socklen_t size;
	int err;

	if (!read_address(address, *port, &a, &size))
		return -EINVAL;
	s->listener = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->listener < 0)
		return -errno;
	err = bind_and_listen(s->listener, &a, size);
	if (err)
		close(s->listener);
	*port = ntohs(a.any.sa_family == AF_INET6 ? a.v6.sin6_port : a.v4.sin_port);
	return err;
}

/* ---- accepting ---- */

/* Starts a strand for the connection. No other strand awaits it; s->count says when it
 * has ended. README.md has an alternative. */
static bool start_connection(struct server *s, int fd, bool refuse)
{
	struct filch_future *f = FILCH_GO(connection_run, s, fd, refuse);

	filch_future_drop(f);
	return f;
}

static void take_connection(struct server *s, int fd)
{
	size_t most = s->options->max_connections, count;

	filch_mutex_lock(&s->lock);
	count = s->count;
	s->count += count < most + REFUSALS;
	filch_mutex_unlock(&s->lock);
	if (count < most + REFUSALS && start_connection(s, fd, count >= most))
		return;
	filch_close(fd);
	if (count < most + REFUSALS) {
		filch_mutex_lock(&s->lock);
		s->count--;
		filch_mutex_unlock(&s->lock);
	}
}

/* Accepts connections until the listener is shut down. */
static void accept_all(struct server *s)
{
	for (;;) {
		int fd = filch_accept(s->listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0)
			take_connection(s, fd);
		else if (fd == -EINVAL || server_is_stopping(s)) /* shut down */
			return;
		else if (fd != -ECONNABORTED)
			filch_sleep(BACKOFF_NS); /* until a descriptor is free */
	}
}

/* ---- stopping ---- */

/* SIGHUP opens the log again. The first of the other signals ends accepting, the second
 * ends everything. */
static void heed(struct server *s, uint32_t signal)
{
	if (signal == SIGHUP) {
		log_reopen(&s->log);
	} else if (server_is_stopping(s)) { /* exact, since only this function sets it */
		filch_event_set(&s->at_once);
	} else {
		/* Relaxed: a hint; see drain(). */
		atomic_store_explicit(&s->stopping, true, memory_order_relaxed);
		shutdown(s->listener, SHUT_RDWR);
	}
}

FILCH_STATIC_TASK_VOID(watch_signals, (struct server *, s), (int, fd))
{
	struct signalfd_siginfo info;

	while (filch_read(fd, &info, sizeof info) == sizeof info)
		heed(s, info.ssi_signo);
}

static bool any_left(struct server *s)
{
	bool any;

	filch_mutex_lock(&s->lock);
	any = s->count;
	filch_mutex_unlock(&s->lock);
	return any;
}

/* Ends connections as if the client had closed them: all, or only those that wait for a
 * request. A request that has arrived at such a connection is still read and answered. */
static void end_connections(struct server *s, bool all)
{
	filch_mutex_lock(&s->lock);
	for (struct connection *c = s->open; c; c = c->next)
		/* Relaxed: a hint; drain() calls this again. */
		if (all || atomic_load_explicit(&c->idle, memory_order_relaxed))
			shutdown(c->fd, all ? SHUT_RDWR : SHUT_RD);
	filch_mutex_unlock(&s->lock);
}

/* Waits until the requests under way are answered, for as long as the options allow. */
static void drain(struct server *s)
{
	uint64_t deadline = filch_after(s->options->grace * FILCH_S);
	bool all = false;

	while (any_left(s)) {
		all |= filch_event_is_set(&s->at_once) || filch_now() >= deadline;
		end_connections(s, all);
		if (all) {
			log_hurry(&s->log);
			filch_sleep(DRAIN_NS);
		} else {
			filch_event_wait_until(&s->at_once, filch_after(DRAIN_NS));
		}
	}
}

/* Makes sure that signals can be waited for: otherwise the server could not be
 * stopped. */
static int try_signals(struct server *s, int fd)
{
	struct signalfd_siginfo info;
	ssize_t n = filch_read_until(fd, &info, sizeof info, filch_after(FILCH_MS));

	if (n == sizeof info)
		heed(s, info.ssi_signo);
	return n == sizeof info || n == -ETIMEDOUT ? 0 : (int)n;
}

int server_run(struct server *s)
{
	struct filch_future *signals;
	sigset_t set;
	int fd, err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	err = fd < 0 ? -errno : try_signals(s, fd);
	signals = err ? NULL : FILCH_GO(watch_signals, s, fd);
	if (!err)
		err = signals ? log_begin(&s->log) : -ENOMEM;
	if (!err) {
		accept_all(s);
		drain(s);
	}
	log_end(&s->log);
	if (signals) {
		filch_future_cancel(signals);
		filch_await(signals);
		filch_future_drop(signals);
	}
	if (fd >= 0)
		filch_close(fd);
	filch_close(s->listener);
	return err;
}
