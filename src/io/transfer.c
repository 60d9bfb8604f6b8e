/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing. A descriptor that can be polled is tried without blocking, and
 * waited for when it is not ready. A file, which cannot be polled, is read and written as
 * far as its pages are in memory; the rest is an operation for a ring or a helper.
 *
 * The attempt neither relies on O_NONBLOCK nor changes it. Sockets have MSG_DONTWAIT.
 * Pipes, eventfds and most others have RWF_NOWAIT (Linux 6.4 for pipes). The others, such
 * as terminals, are first asked by poll(), and a write to them is cut to PIPE_BUF bytes.
 * If another process takes what was there between the two calls, the worker blocks until
 * there is more.
 */
#include <assert.h>
#include <errno.h>
#include <filch/io.h>
#include <limits.h>
#include <poll.h>

#include "io/op.h"
#include "io/slot.h"

struct transfer {
	const struct iovec *v;
	int n;
	bool out;     /* a write */
	bool message; /* recv or send: for sockets only */
	int flags;    /* of recv or send */
	off_t offset; /* -1: the file's own position */
};

/* ---- files ---- */

/* Reads or writes as much as is possible without blocking. */
static ssize_t at_hand(int fd, const struct transfer *t, const struct iovec *v, int n,
                       off_t offset)
{
	return t->out ? filch__sys_writev(fd, v, n, offset, RWF_NOWAIT)
	              : filch__sys_readv(fd, v, n, offset, RWF_NOWAIT);
}

static ssize_t do_rest(const struct filch__use *u, const struct transfer *t,
                       const struct iovec *v, int n, off_t offset)
{
	struct filch__op op = {.kind = t->out ? FILCH__OP_WRITE : FILCH__OP_READ,
	                       .fd = u->fd,
	                       .v = v,
	                       .n = n,
	                       .offset = offset};

	return filch__op_run(u->io, &op, u->deadline, true);
}

/* Whether the number is now a socket: it may have changed hands without filch_close(). */
static bool is_socket(int fd)
{
	enum filch__fd_kind kind;

	return !filch__sys_kind(fd, &kind) && kind <= FILCH__FD_SOCKET;
}

/* A read is short only at the end of the file: many programs rely on that. */
static ssize_t transfer_file(const struct filch__use *u, const struct transfer *t)
{
	struct iovec v = {NULL, 0};
	off_t offset = t->offset;
	ssize_t r, done = 0;

	if (t->n != 1)
		return do_rest(u, t, t->v, t->n, offset);
	v = *t->v;
	while ((r = at_hand(u->fd, t, &v, 1, offset)) > 0) {
		assert((size_t)r <= v.iov_len);
		done += r;
		v.iov_base = (char *)v.iov_base + r;
		v.iov_len -= (size_t)r;
		offset += offset < 0 ? 0 : r;
		if (!v.iov_len)
			return done;
	}
	if (r == -EAGAIN && is_socket(u->fd))
		return -ENOTSOCK;
	if (r == -EAGAIN || r == -EOPNOTSUPP)
		r = do_rest(u, t, &v, 1, offset);
	assert(r <= 0 || (size_t)r <= v.iov_len);
	return r > 0 ? done + r : done ? done : r;
}

/* ---- descriptors that can be polled ---- */

static short events_of(const struct transfer *t)
{
	return t->out ? POLLOUT : POLLIN;
}

static size_t size_of(const struct transfer *t)
{
	size_t sum = 0;

	for (int i = 0; i < t->n; i++)
		sum += t->v[i].iov_len;
	return sum;
}

/* Writes at most PIPE_BUF bytes: a descriptor that is ready takes that many. */
static ssize_t write_some(int fd, const struct transfer *t)
{
	const struct iovec *v = t->v;
	struct iovec first;

	if (size_of(t) <= PIPE_BUF)
		return filch__sys_writev(fd, t->v, t->n, -1, 0);
	while (!v->iov_len)
		v++;
	assert(v < t->v + t->n);
	first = *v;
	if (first.iov_len > PIPE_BUF)
		first.iov_len = PIPE_BUF;
	return filch__sys_writev(fd, &first, 1, -1, 0);
}

/* For terminals and others that have no call that does not block: asks poll() first. */
static ssize_t attempt_asking(struct filch__use *u, const struct transfer *t)
{
	int r = filch__use_watch(u);

	if (r) /* -EPERM: poll() would always say ready */
		return r;
	r = filch__sys_poll(u->fd, events_of(t), 0);
	if (r < 0)
		return r;
	if (!r)
		return filch__sys_allows(u->fd, t->out) ? -EAGAIN : -EBADF;
	return t->out ? write_some(u->fd, t) : filch__sys_readv(u->fd, t->v, t->n, -1, 0);
}

static ssize_t attempt(struct filch__use *u, const struct transfer *t)
{
	ssize_t r;

	if (u->kind <= FILCH__FD_SOCKET || t->message)
		return t->out ? filch__sys_send(u->fd, t->v, t->n,
		                                t->flags | MSG_DONTWAIT | MSG_NOSIGNAL)
		              : filch__sys_recv(u->fd, t->v, t->n,
		                                t->flags | MSG_DONTWAIT);
	r = at_hand(u->fd, t, t->v, t->n, -1);
	return r == -EOPNOTSUPP ? attempt_asking(u, t) : r;
}

static ssize_t transfer_when_ready(struct filch__use *u, const struct transfer *t)
{
	ssize_t r = -EAGAIN; /* for a dry slot, as if it had been tried */
	int err;

	assert(t->offset < 0);
	for (;;) {
		if (!u->dry || t->out || t->flags)
			r = attempt(u, t);
		if (r != -EAGAIN || t->flags & MSG_DONTWAIT)
			return r;
		err = filch__use_wait(u, (uint32_t)events_of(t));
		if (err == -ETIMEDOUT) {
			r = attempt(u, t);
			return r == -EAGAIN ? err : r;
		}
		if (err)
			return err;
	}
}

/* Makes the blocking call, outside a pool and without a deadline, or for no bytes at all;
 * then the call only shows whether the arguments are valid. */
static ssize_t transfer_plain(const struct filch__use *u, const struct transfer *t,
                              size_t size)
{
	if ((u->kind <= FILCH__FD_SOCKET && (size || t->out)) || t->message)
		return t->out ? filch__sys_send(u->fd, t->v, t->n,
		                                t->flags | MSG_NOSIGNAL)
		              : filch__sys_recv(u->fd, t->v, t->n, t->flags);
	return t->out ? filch__sys_writev(u->fd, t->v, t->n, -1, 0)
	              : filch__sys_readv(u->fd, t->v, t->n, -1, 0);
}

static ssize_t transfer_by_kind(struct filch__use *u, const struct transfer *t)
{
	size_t size = size_of(t);
	bool socket = u->kind <= FILCH__FD_SOCKET;
	ssize_t r;

	assert(t->offset >= -1 && (t->offset < 0 || !t->message));
	if (t->offset >= 0 || (u->kind == FILCH__FD_FILE && !t->message))
		return transfer_file(u, t);
	if (!size && !t->message && !(socket && t->out))
		return transfer_plain(u, t, size);
	r = -EAGAIN;
	if (!u->io && u->deadline == FILCH_NEVER)
		r = transfer_plain(u, t, size);
	if (r == -EAGAIN) /* also if the descriptor is O_NONBLOCK outside a pool */
		r = transfer_when_ready(u, t);
	if (r == -EPERM && u->kind == FILCH__FD_FILE)
		return transfer_file(u, t);
	if (r > 0 && (size_t)r < size && !t->out && !t->flags)
		filch__use_dry(u);
	return r;
}

/* If the result is -ENOTSOCK although the caller did not ask for a socket, the number was
 * closed without filch_close(), and is now another file's. */
static ssize_t transfer(int fd, const struct transfer *t, uint64_t deadline)
{
	struct filch__use u;
	ssize_t r;
	int err = t->flags & MSG_DONTWAIT ? filch__use_try(&u, fd)
	                                  : filch__use_begin(&u, fd, deadline);

	if (err)
		return err;
	r = transfer_by_kind(&u, t);
	if (r != -ENOTSOCK || t->message)
		return r;
	err = filch__use_again(&u);
	return err ? err : transfer_by_kind(&u, t);
}

/* ---- the calls ---- */

ssize_t filch_read_until(int fd, void *buffer, size_t size, uint64_t deadline)
{
	struct iovec v = {buffer, size};
	struct transfer t = {.v = &v, .n = 1, .offset = -1};

	return transfer(fd, &t, deadline);
}

ssize_t filch_write_until(int fd, const void *buffer, size_t size, uint64_t deadline)
{
	struct iovec v = {(void *)buffer, size};
	struct transfer t = {.v = &v, .n = 1, .out = true, .offset = -1};

	return transfer(fd, &t, deadline);
}

ssize_t filch_pread_until(int fd, void *buffer, size_t size, off_t offset,
                          uint64_t deadline)
{
	struct iovec v = {buffer, size};
	struct transfer t = {.v = &v, .n = 1, .offset = offset};

	return offset < 0 ? -EINVAL : transfer(fd, &t, deadline);
}

ssize_t filch_pwrite_until(int fd, const void *buffer, size_t size, off_t offset,
                           uint64_t deadline)
{
	struct iovec v = {(void *)buffer, size};
	struct transfer t = {.v = &v, .n = 1, .out = true, .offset = offset};

	return offset < 0 ? -EINVAL : transfer(fd, &t, deadline);
}

ssize_t filch_readv_until(int fd, const struct iovec *v, int n, uint64_t deadline)
{
	struct transfer t = {.v = v, .n = n, .offset = -1};

	return n < 0 || n > IOV_MAX ? -EINVAL : transfer(fd, &t, deadline);
}

ssize_t filch_writev_until(int fd, const struct iovec *v, int n, uint64_t deadline)
{
	struct transfer t = {.v = v, .n = n, .out = true, .offset = -1};

	return n < 0 || n > IOV_MAX ? -EINVAL : transfer(fd, &t, deadline);
}

/* Implements MSG_WAITALL: reads until all bytes are there, or no more will come. A
 * datagram is read whole or not at all. */
static ssize_t recv_all(int fd, struct iovec v, int flags, uint64_t deadline)
{
	struct transfer t = {
		.v = &v, .n = 1, .message = true, .flags = flags, .offset = -1};
	ssize_t r, done = 0;

	do {
		r = transfer(fd, &t, deadline);
		if (r <= 0)
			break;
		done += r;
		if ((size_t)r > v.iov_len) /* MSG_TRUNC */
			break;
		v.iov_base = (char *)v.iov_base + r;
		v.iov_len -= (size_t)r;
	} while (v.iov_len && !(flags & (MSG_PEEK | MSG_DONTWAIT)) &&
	         filch__sys_is_stream(fd));
	return done ? done : r;
}

ssize_t filch_recv_until(int fd, void *buffer, size_t size, int flags, uint64_t deadline)
{
	struct iovec v = {buffer, size};
	struct transfer t = {
		.v = &v, .n = 1, .message = true, .flags = flags, .offset = -1};

	if (flags & MSG_WAITALL && size)
		return recv_all(fd, v, flags, deadline);
	return transfer(fd, &t, deadline);
}

ssize_t filch_send_until(int fd, const void *buffer, size_t size, int flags,
                         uint64_t deadline)
{
	struct iovec v = {(void *)buffer, size};
	struct transfer t = {.v = &v,
	                     .n = 1,
	                     .out = true,
	                     .message = true,
	                     .flags = flags,
	                     .offset = -1};

	return transfer(fd, &t, deadline);
}

ssize_t filch_read(int fd, void *buffer, size_t size)
{
	return filch_read_until(fd, buffer, size, FILCH_NEVER);
}

ssize_t filch_write(int fd, const void *buffer, size_t size)
{
	return filch_write_until(fd, buffer, size, FILCH_NEVER);
}

ssize_t filch_pread(int fd, void *buffer, size_t size, off_t offset)
{
	return filch_pread_until(fd, buffer, size, offset, FILCH_NEVER);
}

ssize_t filch_pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
	return filch_pwrite_until(fd, buffer, size, offset, FILCH_NEVER);
}

ssize_t filch_readv(int fd, const struct iovec *v, int n)
{
	return filch_readv_until(fd, v, n, FILCH_NEVER);
}

ssize_t filch_writev(int fd, const struct iovec *v, int n)
{
	return filch_writev_until(fd, v, n, FILCH_NEVER);
}

ssize_t filch_recv(int fd, void *buffer, size_t size, int flags)
{
	return filch_recv_until(fd, buffer, size, flags, FILCH_NEVER);
}

ssize_t filch_send(int fd, const void *buffer, size_t size, int flags)
{
	return filch_send_until(fd, buffer, size, flags, FILCH_NEVER);
}
