/* SPDX-License-Identifier: MIT */
#include "io/op.h"

#include <assert.h>
#include <errno.h>

#include "base/check.h"
#include "io/helpers.h"
#include "io/uring.h"

void filch__op_check(const struct filch__op *op)
{
	switch (op->kind) {
	case FILCH__OP_READ:
	case FILCH__OP_WRITE:
		assert(op->n >= 0 && op->offset >= -1);
		break;
	case FILCH__OP_GETDENTS:
		assert(op->n == 1 && op->v->iov_len);
		break;
	case FILCH__OP_SENDFILE:
		assert(op->offset >= 0 && op->size);
		break;
	default:
		assert(op->kind <= FILCH__OP_SENDFILE && !op->n);
	}
}

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

	FILCH__CHECK(filch__op_check(op));
	if (!io)
		return filch__op_in_place(op);
	if (io->rings && op->kind < FILCH__OP_GETDENTS)
		r = filch__rings_run(io->rings, op, deadline, cancellable);
	if (r != -ENOBUFS)
		return r;
	r = filch__helpers_run(io->pool, run_in_place, op, deadline, cancellable);
	assert(r <= 0);
	if (r == -EAGAIN) /* there is no helper */
		return filch__op_in_place(op);
	return r ? r : op->result;
}
