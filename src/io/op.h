/* SPDX-License-Identifier: MIT */
/*
 * Operations that may take long and cannot be polled, mostly on files. An operation goes
 * to a ring or to a helper thread, or is done in place.
 */
#ifndef FILCH_IO_OP_H
#define FILCH_IO_OP_H

#include "io/driver.h"

enum filch__op_kind {
	FILCH__OP_READ,
	FILCH__OP_WRITE,
	FILCH__OP_OPEN,
	FILCH__OP_STATX,
	FILCH__OP_FSYNC,
	FILCH__OP_CLOSE,
	/* A ring cannot do the following kinds, or is not asked to. */
	FILCH__OP_GETDENTS,
	FILCH__OP_POLL,
	FILCH__OP_SENDFILE,
};

/* An operation lies in the frame of the strand that waits for it. */
struct filch__op {
	enum filch__op_kind kind;
	int fd;                /* or the directory; for sendfile: the file */
	int flags;             /* for open, statx; for poll: the events */
	unsigned mode;         /* for open; for statx: the mask */
	const struct iovec *v; /* for reads and writes; for getdents: one */
	int n;
	off_t offset; /* -1: the file's own position */
	int socket;   /* for sendfile */
	size_t size;
	const char *path;
	struct statx *statx;
	uint64_t until; /* for poll */
	ssize_t result;
};

/* Asserts that the fields of an operation fit its kind. */
void filch__op_check(const struct filch__op *op);

/* Does the operation on the calling thread, which may block. */
ssize_t filch__op_in_place(const struct filch__op *op);

/* Does the operation without blocking the worker. Outside a pool, where io is NULL, it
 * blocks. Returns the operation's result, or -ETIMEDOUT or -ECANCELED if the operation
 * was not begun or could be stopped. */
ssize_t filch__op_run(struct filch__reactor *io, struct filch__op *op, uint64_t deadline,
                      bool cancellable);

#endif
