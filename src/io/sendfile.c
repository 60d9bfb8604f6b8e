/* SPDX-License-Identifier: MIT */
/*
 * Sends a file to a socket within the kernel. sendfile() would block on either of them.
 * So the socket is made O_NONBLOCK, since there is no other way, and a read of a byte
 * with RWF_NOWAIT tells whether each end of the next piece of the file is in memory; if
 * not, a helper makes the call. If a page is evicted between the two calls, the worker
 * waits for the disk.
 */
#include <assert.h>
#include <errno.h>
#include <filch/io.h>
#include <limits.h>
#include <poll.h>

#include "io/op.h"
#include "io/slot.h"

/* The size of a piece. If both of its ends are in memory, the whole piece is taken to be
 * there. */
#define PIECE ((size_t)128 << 10)

/* True if reading this byte of the file would wait for a disk, or the system cannot
 * tell. */
static bool would_wait(int file, off_t offset)
{
	char byte;
	struct iovec v = {&byte, 1};
	ssize_t r = filch__sys_readv(file, &v, 1, offset, RWF_NOWAIT);

	return r == -EAGAIN || r == -EOPNOTSUPP;
}

static ssize_t send_piece(struct filch__use *u, struct filch__op *op)
{
	assert(op->size && op->size <= PIECE);
	if (u->io && (would_wait(op->fd, op->offset) ||
	              would_wait(op->fd, op->offset + (off_t)op->size - 1)))
		return filch__op_run(u->io, op, u->deadline, true);
	return filch__op_in_place(op);
}

/* Sends until the socket takes no more. */
static ssize_t send_some(struct filch__use *u, int file, off_t offset, size_t size)
{
	struct filch__op op = {.kind = FILCH__OP_SENDFILE, .fd = file, .socket = u->fd};
	size_t done = 0;
	ssize_t r;

	do {
		op.offset = offset + (off_t)done;
		op.size = size - done < PIECE ? size - done : PIECE;
		r = send_piece(u, &op);
		assert(r <= (ssize_t)op.size);
		done += r > 0 ? (size_t)r : 0;
	} while (r > 0 && done < size);
	return done ? (ssize_t)done : r;
}

ssize_t filch_sendfile_until(int socket, int file, off_t offset, size_t size,
                             uint64_t deadline)
{
	struct filch__use u;
	bool was;
	ssize_t r;
	int err;

	if (offset < 0 || size > SSIZE_MAX)
		return -EINVAL;
	err = filch__use_begin(&u, socket, deadline);
	if (!err && u.kind > FILCH__FD_SOCKET) /* the number may be another file's */
		err = filch__use_again(&u);
	if (!err && u.kind > FILCH__FD_SOCKET)
		err = -ENOTSOCK;
	if (!err)
		err = filch__sys_nonblock(socket, true, &was);
	if (err || !size)
		return err;
	while ((r = send_some(&u, file, offset, size)) == -EAGAIN && !err) {
		err = filch__use_wait(&u, POLLOUT);
		if (err && err != -ETIMEDOUT) /* a timeout tries once more */
			return err;
	}
	return r == -EAGAIN ? err : r;
}

ssize_t filch_sendfile(int socket, int file, off_t offset, size_t size)
{
	return filch_sendfile_until(socket, file, offset, size, FILCH_NEVER);
}
