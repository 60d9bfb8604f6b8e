/* SPDX-License-Identifier: MIT */
#include "cmd/dupes/open.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 }; /* the longest path of a system call, with its zero */

uint32_t open_device(const struct stat *s)
{
	return major(s->st_dev) << 20 | minor(s->st_dev);
}

uint64_t open_mtime(const struct stat *s)
{
	return (uint64_t)s->st_mtim.tv_sec * 1000000000 + (uint64_t)s->st_mtim.tv_nsec;
}

/* Calls openat2() where the kernel has it, else openat(), which follows links in the
 * middle of a path. The caller then notices by inode and device that it has opened
 * another file. */
static int open_once(struct dupes *d, int at, const char *path, int flags,
                     uint64_t resolve)
{
	struct open_how how = {.flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
	                       .resolve = resolve};
	int fd;

	if (!d->o->follow) {
		how.flags |= O_NOFOLLOW;
		how.resolve |= RESOLVE_NO_SYMLINKS;
	}
	fd = (int)syscall(SYS_openat2, at, path, &how, sizeof how);
	if (fd < 0 && (errno == ENOSYS || (errno == EPERM && !(flags & O_NOATIME)) ||
	               (errno == EINVAL && resolve & RESOLVE_CACHED))) {
		if (resolve & RESOLVE_CACHED)
			return -EAGAIN;
		fd = openat(at, path, (int)how.flags);
	}
	return fd < 0 ? -errno : fd;
}

/* Opens without changing the time of access, where that is allowed: to the owner and
 * root. */
static int open_quietly(struct dupes *d, int at, const char *path, int flags,
                        uint64_t resolve)
{
	int fd = -EPERM;

	if (!(flags & O_PATH)) /* tried for each file, since owners may differ */
		fd = open_once(d, at, path, flags | O_NOATIME, resolve);
	return fd == -EPERM ? open_once(d, at, path, flags, resolve) : fd;
}

/* Opens a path that is too long for one system call, piece by piece. */
static int open_pieces(struct dupes *d, const char *path, int flags)
{
	char piece[PATH_SIZE];
	int at = AT_FDCWD;

	for (;;) {
		size_t length = strlen(path);
		int fd;

		if (length >= PATH_SIZE)
			for (length = PATH_SIZE - 1; length && path[length] != '/';)
				length--;
		memcpy(piece, path, length);
		piece[length] = 0;
		path += length + (path[length] == '/');
		fd = open_quietly(d, at, piece, *path ? O_PATH | O_DIRECTORY : flags, 0);
		if (at != AT_FDCWD)
			close(at);
		if (fd < 0 || !*path)
			return fd;
		at = fd;
	}
}

int open_path(struct dupes *d, const char *path, int flags)
{
	if (strlen(path) >= PATH_SIZE)
		return open_pieces(d, path, flags);
	return open_quietly(d, AT_FDCWD, path, flags, 0);
}

/* A path that a helper thread opens, and the result. */
struct opening {
	struct dupes *d;
	const char *path;
	int flags, result;
};

static void *open_slowly(void *opening)
{
	struct opening *o = opening;

	o->result = open_path(o->d, o->path, o->flags);
	return NULL;
}

/* Opens at once if the kernel has all names in memory, else on a helper thread. */
static int open_either(struct dupes *d, const char *path, int flags)
{
	struct opening o = {d, path, flags, -EAGAIN};

	if (strlen(path) < PATH_SIZE)
		o.result = open_quietly(d, AT_FDCWD, path, flags, RESOLVE_CACHED);
	if (o.result == -EAGAIN)
		filch_blocking(open_slowly, &o);
	return o.result;
}

int open_unchanged(const struct file *f, int fd)
{
	struct stat s;

	if (fstat(fd, &s))
		return -errno;
	if (!S_ISREG(s.st_mode) || s.st_ino != f->inode || open_device(&s) != f->device)
		return -DUPES_REPLACED;
	if ((uint64_t)s.st_size != f->size || open_mtime(&s) != f->mtime)
		return -DUPES_CHANGED;
	return 0;
}

int open_file(struct dupes *d, const struct file *f)
{
	char room[PATH_SIZE];
	char *path = catalog_path(&d->catalog, f->directory, catalog_name(&d->catalog, f),
	                          CATALOG_REAL, room, sizeof room);
	int fd = open_either(d, path, O_RDONLY | O_NONBLOCK | O_NOCTTY), r;

	if (path != room)
		free(path);
	r = fd < 0 ? fd : open_unchanged(f, fd);
	if (fd >= 0 && r)
		close(fd);
	return r ? r : fd;
}

/* Reads at once if the data is in memory; filch_pread() would first have to find out what
 * kind of descriptor this is. */
static ssize_t read_some(int fd, void *to, size_t size, uint64_t offset)
{
	struct iovec v = {to, size};
	ssize_t n = preadv2(fd, &v, 1, (off_t)offset, RWF_NOWAIT);

	return n >= 0 ? n : filch_pread(fd, to, size, (off_t)offset);
}

int open_read(struct dupes *d, int fd, void *to, size_t size, uint64_t offset)
{
	size_t have = 0;

	while (have < size) {
		ssize_t n = read_some(fd, (char *)to + have, size - have, offset + have);

		if (n <= 0)
			return n ? (int)n : -DUPES_SHORTER;
		have += (size_t)n;
	}
	dupes_count(&d->progress.read, size);
	return 0;
}
