/* SPDX-License-Identifier: MIT */
/* Connections, readiness, and the end of a descriptor. */
#include <assert.h>
#include <errno.h>
#include <filch/io.h>
#include <poll.h>

#include "base/clock.h"
#include "io/op.h"
#include "io/slot.h"

#define BACKOFF_NS (FILCH_MS / 2) /* at first */
#define BACKOFF_MOST (32 * BACKOFF_NS)

/* ---- accept ---- */

/* Accepts without blocking. accept4() has no flag for that, so the listener is made
 * O_NONBLOCK and stays so: another process may accept from the same open file, and rely
 * on the flag that this call has set. */
static int accept_now(struct filch__use *u, struct sockaddr *address, socklen_t *length,
                      int flags)
{
	bool was;
	int r = filch__sys_nonblock(u->fd, true, &was);

	return r ? r : filch__sys_accept(u->fd, address, length, flags);
}

int filch_accept_until(int fd, struct sockaddr *address, socklen_t *length, int flags,
                       uint64_t deadline)
{
	struct filch__use u;
	int r, err = filch__use_begin(&u, fd, deadline);

	if (err)
		return err;
	while ((r = accept_now(&u, address, length, flags)) == -EAGAIN && !err) {
		err = filch__use_wait(&u, POLLIN);
		if (err && err != -ETIMEDOUT) /* a timeout tries once more */
			return err;
	}
	return r == -EAGAIN ? err : filch__fd_new(r);
}

int filch_accept(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	return filch_accept_until(fd, address, length, flags, FILCH_NEVER);
}

/* ---- connect ---- */

/* O_NONBLOCK is set and then cleared again: a socket that connects has one user. */
static int connect_now(struct filch__use *u, const struct sockaddr *address,
                       socklen_t length)
{
	bool was;
	int r = filch__sys_nonblock(u->fd, true, &was);

	if (r)
		return r;
	r = filch__sys_connect(u->fd, address, length);
	if (!was)
		filch__sys_nonblock(u->fd, false, &was);
	return r == -EINTR || r == -EALREADY ? -EINPROGRESS : r;
}

/* For a Unix socket whose queue is full: no event tells when there is room again. */
static int connect_again(struct filch__use *u, const struct sockaddr *address,
                         socklen_t length)
{
	uint64_t pause = BACKOFF_NS;
	int r = -EAGAIN, err;

	while (r == -EAGAIN) {
		uint64_t now = filch__now_ns();

		if (now >= u->deadline)
			return -ETIMEDOUT;
		err = filch_sleep_until(u->deadline - now < pause ? u->deadline
		                                                  : now + pause);
		if (err)
			return err;
		if (pause < BACKOFF_MOST)
			pause *= 2;
		assert(pause <= BACKOFF_MOST);
		r = connect_now(u, address, length);
	}
	return r;
}

int filch_connect_until(int fd, const struct sockaddr *address, socklen_t length,
                        uint64_t deadline)
{
	struct filch__use u;
	int events, r, err = filch__use_begin(&u, fd, deadline);

	if (err || (err = filch__use_again(&u))) /* most sockets that connect are new */
		return err;
	r = connect_now(&u, address, length);
	if (r == -EAGAIN)
		r = connect_again(&u, address, length);
	if (r != -EINPROGRESS)
		return r;
	for (;;) {
		err = filch__use_wait(&u, POLLOUT);
		if (err && err != -ETIMEDOUT)
			return err;
		events = filch__sys_poll(fd, POLLOUT, 0);
		if (events)
			return events < 0 ? events : filch__sys_socket_error(fd);
		if (err)
			return err;
	}
}

int filch_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	return filch_connect_until(fd, address, length, FILCH_NEVER);
}

/* ---- poll ---- */

/* The events to wait for: epoll reports the bands together with POLLIN and POLLOUT. */
static uint32_t watch_for(short events)
{
	uint32_t w = 0;

	if (events & (POLLIN | POLLRDNORM | POLLRDBAND | POLLPRI | POLLRDHUP))
		w |= POLLIN | POLLPRI | POLLRDHUP;
	if (events & (POLLOUT | POLLWRNORM | POLLWRBAND))
		w |= POLLOUT;
	return w ? w : POLLERR | POLLHUP;
}

int filch_poll_until(int fd, short events, uint64_t deadline)
{
	struct filch__use u;
	int r, err = filch__use_begin(&u, fd, deadline);

	if (err)
		return err;
	while (!(r = filch__sys_poll(fd, events, 0)) && !err) {
		err = filch__use_wait(&u, watch_for(events));
		if (err && err != -ETIMEDOUT)
			return err;
	}
	return !r ? err : r & POLLNVAL ? -EBADF : r;
}

int filch_poll(int fd, short events)
{
	return filch_poll_until(fd, events, FILCH_NEVER);
}

/* ---- close ---- */

int filch_close(int fd)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__reactor *io =
		w && w->active ? (struct filch__reactor *)filch__driver(w->pool) : NULL;
	struct filch__op op = {.kind = FILCH__OP_CLOSE, .fd = fd};
	int r;

	/* Closing a file may write data back, and so may block. */
	if (filch__fd_close(io, fd) == FILCH__FD_FILE)
		r = (int)filch__op_run(io, &op, FILCH_NEVER, false);
	else
		r = filch__sys_close(fd);
	filch__fd_closed(fd);
	return r;
}
