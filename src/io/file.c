/* SPDX-License-Identifier: MIT */
/* Files and directories: everything but reading and writing files. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/group.h>
#include <filch/io.h>
#include <stdlib.h>
#include <string.h>

#include "io/driver.h"
#include "io/op.h"
#include "wait/keep.h"

#define DIR_BUFFER 32768

/* Does the operation if that is possible without blocking. */
static int at_hand(const struct filch__op *op)
{
	switch (op->kind) {
	case FILCH__OP_OPEN:
		return filch__sys_openat_cached(op->fd, op->path, op->flags);
	case FILCH__OP_STATX:
		return filch__sys_statx_cached(op->fd, op->path, op->flags, op->mode,
		                               op->statx);
	default:
		return -EAGAIN;
	}
}

static int run(struct filch__op *op, uint64_t deadline)
{
	struct filch__reactor *io;
	int err, r;

	filch__keep_worker(false);
	err = filch__io_self(&io);
	if (err)
		return err;
	if (io && filch_cancelled())
		return -ECANCELED;
	r = io ? at_hand(op) : -EAGAIN;
	if (r == -EAGAIN)
		r = (int)filch__op_run(io, op, deadline, true);
	return op->kind == FILCH__OP_OPEN ? filch__fd_new(r) : r;
}

int filch_openat_until(int directory, const char *path, int flags, mode_t mode,
                       uint64_t deadline)
{
	struct filch__op op = {.kind = FILCH__OP_OPEN,
	                       .fd = directory,
	                       .path = path,
	                       .flags = flags,
	                       .mode = mode};

	return run(&op, deadline);
}

int filch_statx_until(int directory, const char *path, int flags, unsigned mask,
                      struct statx *out, uint64_t deadline)
{
	struct filch__op op = {.kind = FILCH__OP_STATX,
	                       .fd = directory,
	                       .path = path,
	                       .flags = flags,
	                       .mode = mask,
	                       .statx = out};

	return run(&op, deadline);
}

int filch_fsync_until(int fd, uint64_t deadline)
{
	struct filch__op op = {.kind = FILCH__OP_FSYNC, .fd = fd};

	return run(&op, deadline);
}

int filch_openat(int directory, const char *path, int flags, mode_t mode)
{
	return filch_openat_until(directory, path, flags, mode, FILCH_NEVER);
}

int filch_statx(int directory, const char *path, int flags, unsigned mask,
                struct statx *out)
{
	return filch_statx_until(directory, path, flags, mask, out, FILCH_NEVER);
}

int filch_fsync(int fd)
{
	return filch_fsync_until(fd, FILCH_NEVER);
}

/* ---- directories ---- */

struct filch_dir {
	int fd;
	size_t at, size; /* how much of the buffer is read, and filled */
	alignas(struct dirent64) char buffer[DIR_BUFFER];
};

int filch_dir_open(struct filch_dir **d, int directory, const char *path)
{
	struct filch_dir *new = malloc(sizeof *new);
	int fd;

	if (!new)
		return -ENOMEM;
	fd = filch_openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd < 0) {
		free(new);
		return fd;
	}
	new->fd = fd;
	new->at = new->size = 0;
	*d = new;
	return 0;
}

/* Fills the buffer again. Returns 1, or 0 at the end. */
static int refill(struct filch_dir *d, uint64_t deadline)
{
	struct iovec v = {d->buffer, sizeof d->buffer};
	struct filch__op op = {.kind = FILCH__OP_GETDENTS, .fd = d->fd, .v = &v, .n = 1};
	int r;

	assert(d->at == d->size);
	r = run(&op, deadline);
	if (r <= 0)
		return r;
	assert(r <= DIR_BUFFER);
	d->at = 0;
	d->size = (size_t)r;
	return 1;
}

static bool is_itself(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

int filch_dir_next_until(struct filch_dir *d, struct filch_dirent *e, uint64_t deadline)
{
	const struct dirent64 *x;

	do {
		if (d->at == d->size) {
			int r = refill(d, deadline);

			if (r <= 0)
				return r;
		}
		x = (const struct dirent64 *)(d->buffer + d->at);
		assert(x->d_reclen && d->at + x->d_reclen <= d->size);
		d->at += x->d_reclen;
	} while (is_itself(x->d_name));
	*e = (struct filch_dirent){x->d_ino, x->d_type, x->d_name};
	return 1;
}

int filch_dir_next(struct filch_dir *d, struct filch_dirent *e)
{
	return filch_dir_next_until(d, e, FILCH_NEVER);
}

int filch_dir_fd(const struct filch_dir *d)
{
	return d->fd;
}

void filch_dir_close(struct filch_dir *d)
{
	filch_close(d->fd);
	free(d);
}
