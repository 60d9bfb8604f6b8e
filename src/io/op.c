/* SPDX-License-Identifier: MIT */
#include "io/op.h"

#include <errno.h>

#include "io/helpers.h"

ssize_t filch__op_in_place(const struct filch__op *op)
{
	switch (op->kind) {
	case FILCH__OP_READ:
		return filch__sys_readv(op->fd, op->v, op->n, op->offset, 0);
	case FILCH__OP_WRITE:
		return filch__sys_writev(op->fd, op->v, op->n, op->offset, 0);
	case FILCH__OP_OPEN:
		return filch__sys_openat(op->fd, op->path, op->flags, op->mode);
	case FILCH__OP_STATX:
		return filch__sys_statx(op->fd, op->path, op->flags, op->mode, op->statx);
	case FILCH__OP_FSYNC:
		return filch__sys_fsync(op->fd);
	case FILCH__OP_CLOSE:
		return filch__sys_close(op->fd);
	case FILCH__OP_GETDENTS:
		return filch__sys_getdents(op->fd, op->v->iov_base, op->v->iov_len);
	case FILCH__OP_SENDFILE:
		return filch__sys_sendfile(op->socket, op->fd, op->offset, op->size);
	case FILCH__OP_POLL:
		return filch__sys_poll(op->fd, (short)op->flags, op->until);
	}
	return -ENOSYS;
}

static void run_in_place(void *arg)
{
	struct filch__op *op = arg;

	op->result = filch__op_in_place(op);
}

ssize_t filch__op_run(struct filch__reactor *io, struct filch__op *op, uint64_t deadline,
                      bool cancellable)
{
	ssize_t r = -ENOBUFS;

	if (!io)
		return filch__op_in_place(op);
	if (io->rings && op->kind < FILCH__OP_GETDENTS)
		r = filch__rings_run(io->rings, op, deadline, cancellable);
	if (r != -ENOBUFS)
		return r;
	r = filch__helpers_run(io->pool, run_in_place, op, deadline, cancellable);
	if (r == -EAGAIN) /* no thread is to be had */
		return filch__op_in_place(op);
	return r ? r : op->result;
}
