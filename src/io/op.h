/* SPDX-License-Identifier: MIT */
/*
 * Operations that take their time and cannot be polled: on files. An operation goes to a
 * ring or to a helper thread, or is done in place.
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
	/* The kinds that a ring cannot do, or is not asked to. */
	FILCH__OP_GETDENTS,
	FILCH__OP_POLL,
	FILCH__OP_SENDFILE,
};

/* In the frame of the strand that waits for it. */
struct filch__op {
	enum filch__op_kind kind;
	int fd;                /* or the directory; of sendfile: the file */
	int flags;             /* of open, statx; of poll: the events */
	unsigned mode;         /* of open; of statx: the mask */
	const struct iovec *v; /* of reads and writes; of getdents: one */
	int n;
	off_t offset; /* -1: the file's own position */
	int socket;   /* of sendfile */
	size_t size;
	const char *path;
	struct statx *statx;
	uint64_t until; /* of poll */
	ssize_t result;
};

/* Asserts that the fields of an operation fit its kind. */
void filch__op_check(const struct filch__op *op);

/* Does the operation at once, and blocks. */
ssize_t filch__op_in_place(const struct filch__op *op);

/* Does the operation without blocking the worker (io NULL: outside a pool, where it does
 * block). Returns its result, or -ETIMEDOUT or -ECANCELED if it was not begun or could be
 * stopped. */
ssize_t filch__op_run(struct filch__reactor *io, struct filch__op *op, uint64_t deadline,
                      bool cancellable);

#endif
