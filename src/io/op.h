/* SPDX-License-Identifier: MIT */
/*
 * Operations that take their time and cannot be polled: on files. They go to a ring, or to
 * a helper thread, or are done in place.
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
	/* What a ring cannot do, or is not asked to. */
	FILCH__OP_GETDENTS,
	FILCH__OP_POLL,
	FILCH__OP_SENDFILE,
};

/* In the frame of who waits for it. */
struct filch__op {
	enum filch__op_kind kind;
	int fd;                /* or directory; of sendfile: the file */
	int flags;             /* of open, statx; of poll: the events */
	unsigned mode;         /* of open; of statx: the mask */
	const struct iovec *v; /* reads and writes; getdents: one */
	int n;
	off_t offset; /* -1: where the file is */
	int socket; /* sendfile */
	size_t size;
	const char *path;
	struct statx *statx;
	uint64_t until; /* of poll */
	ssize_t result;
};

/* Does it right here, and blocks. */
ssize_t filch__op_in_place(const struct filch__op *op);

/* Does it without blocking the worker (io NULL: outside a pool, it does block). Returns its
 * result, or -ETIMEDOUT or -ECANCELED if it was not begun or could be stopped. */
ssize_t filch__op_run(struct filch__reactor *io, struct filch__op *op, uint64_t deadline,
                      bool cancellable);

/* ---- io_uring: uring.c ---- */

/* Whether the system lets this process have what is needed of io_uring: 0, or a negative
 * errno; `why` (when not NULL) is then told in words. */
int filch__uring_probe(char *why, size_t size);

/* Rings for so many workers. NULL without memory. */
struct filch__rings *filch__rings_new(int epoll, uint32_t workers);
void filch__rings_free(struct filch__rings *rs);

/* Events with this bit in `data` are a ring's. */
#define FILCH__RING_EVENT (UINT64_C(1) << 32)

void filch__rings_serve(struct filch__rings *rs, uint64_t data);

/* As filch__op_run(), on the calling worker's ring. -ENOBUFS: not possible, it was not
 * begun. */
ssize_t filch__rings_run(struct filch__rings *rs, const struct filch__op *op,
                         uint64_t deadline, bool cancellable);

/* Entries of a ring that is made. For tests. */
extern unsigned filch__ring_entries;

#endif
