/* SPDX-License-Identifier: MIT */
#include "cmd/serve/file.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* O_NONBLOCK: a FIFO is opened without waiting for its writer, and then refused. */
#define FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static int open_beneath(int root, const char *path, uint64_t resolve)
{
	struct open_how how = {.flags = FLAGS, .resolve = RESOLVE_BENEATH | resolve};
	long r = syscall(SYS_openat2, root, path, &how, sizeof how);

	return r < 0 ? -errno : (int)r;
}

/* Calls openat() with a name that is not zero-terminated. */
static int open_step(int at, const char *name, size_t length, int flags)
{
	char copy[NAME_MAX + 1];
	int r;

	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(copy, name, length);
	copy[length] = 0;
	if (!strcmp(copy, ".."))
		return -EXDEV;
	r = openat(at, copy, flags | O_NOFOLLOW);
	return r < 0 ? -errno : r;
}

int file_open_by_steps(int root, const char *path)
{
	int at = root;

	for (;;) {
		size_t length = strcspn(path, "/");
		bool last = !path[length] || !path[length + 1];
		int next = open_step(at, length ? path : ".", length ? length : 1,
		                     last ? FLAGS : O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (at != root)
			close(at);
		if (last || next < 0)
			return next;
		at = next;
		path += length + 1;
	}
}

struct opening {
	int root;
	const char *path;
	int result;
};

static void *open_slowly(void *argument)
{
	struct opening *o = argument;

	o->result = open_beneath(o->root, o->path, 0);
	for (int i = 0; o->result == -EAGAIN && i < 16;
	     i++) /* a directory on the way was renamed */
		o->result = open_beneath(o->root, o->path, 0);
	if (o->result == -ENOSYS || o->result == -EPERM)
		o->result = file_open_by_steps(o->root, o->path);
	return NULL;
}

/* Opens at once if the kernel has all names in memory, else on a helper thread. */
static int open_fd(int root, const char *path)
{
	struct opening o = {root, path, 0};
	int fd = open_beneath(root, path, RESOLVE_CACHED);

	if (fd != -EAGAIN && fd != -EINVAL && fd != -ENOSYS && fd != -EPERM)
		return fd;
	filch_blocking(open_slowly, &o);
	return o.result;
}

static int64_t nanoseconds(struct timespec t)
{
	int64_t n;

	/* File systems have dates after the year 2262, which do not fit. */
	if (__builtin_mul_overflow((int64_t)t.tv_sec, INT64_C(1000000000), &n) ||
	    __builtin_add_overflow(n, (int64_t)t.tv_nsec, &n))
		return t.tv_sec < 0 ? INT64_MIN : INT64_MAX;
	return n;
}

void file_describe(struct file *f, const struct stat *s)
{
	*f = (struct file){.fd = -1,
	                   .directory = S_ISDIR(s->st_mode),
	                   .device = s->st_dev,
	                   .inode = s->st_ino,
	                   .size = (uint64_t)s->st_size,
	                   .modified = nanoseconds(s->st_mtim),
	                   .changed = nanoseconds(s->st_ctim)};
}

int file_open(struct file *f, int root, const char *path)
{
	int err, fd = open_fd(root, *path ? path : ".");
	struct stat s;

	if (fd < 0)
		return fd == -ENXIO ? -EACCES : fd;
	err = fstat(fd, &s) ? -errno : 0;
	if (!err && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
		err = -EACCES;
	if (err) {
		close(fd);
		return err;
	}
	file_describe(f, &s);
	f->fd = fd;
	return 0;
}

/* Nothing was written, so close() does not wait. */
void file_close(const struct file *f)
{
	if (f->fd >= 0)
		close(f->fd);
}
