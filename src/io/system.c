/* SPDX-License-Identifier: MIT */
#include "io/system.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/time.h>
#include <limits.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "fiber/switch.h"

/* Evaluates a call until no signal interrupts it. errno stays as it was even if the call
 * succeeds: the C library may have tried another call first. */
#define RESULT(call)                                 \
	__extension__({                              \
		int kept = errno;                    \
		__typeof__(call) got;                \
                                                     \
		do {                                 \
			got = call;                  \
		} while (got < 0 && errno == EINTR); \
		if (got < 0)                         \
			got = -errno;                \
		errno = kept;                        \
		got;                                 \
	})

static bool is_tcp(int fd)
{
	int kept = errno, protocol = 0;
	socklen_t size = sizeof protocol;

	getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
	errno = kept;
	return protocol == IPPROTO_TCP;
}

bool filch__sys_is_stream(int fd)
{
	int kept = errno, type = 0;
	socklen_t size = sizeof type;

	getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
	errno = kept;
	return type == SOCK_STREAM;
}

int filch__sys_kind(int fd, enum filch__fd_kind *kind)
{
	struct stat s;
	int err = RESULT(fstat(fd, &s));

	if (err)
		return err;
	if (S_ISSOCK(s.st_mode))
		*kind = is_tcp(fd) ? FILCH__FD_TCP : FILCH__FD_SOCKET;
	else if (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode) || S_ISBLK(s.st_mode))
		*kind = FILCH__FD_FILE;
	else
		*kind = FILCH__FD_POLLABLE;
	return 0;
}

ssize_t filch__sys_recv(int fd, const struct iovec *v, int n, int flags)
{
	struct msghdr m = {.msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n};

	if (n == 1)
		return RESULT(recv(fd, v->iov_base, v->iov_len, flags));
	return RESULT(recvmsg(fd, &m, flags));
}

ssize_t filch__sys_send(int fd, const struct iovec *v, int n, int flags)
{
	struct msghdr m = {.msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n};

	if (n == 1)
		return RESULT(send(fd, v->iov_base, v->iov_len, flags));
	return RESULT(sendmsg(fd, &m, flags));
}

int filch__sys_accept(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	return RESULT(accept4(fd, address, length, flags));
}

int filch__sys_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	int kept = errno, r = connect(fd, address, length);

	if (r < 0)
		r = -errno; /* EINTR: the connection proceeds, as with EINPROGRESS */
	errno = kept;
	return r;
}

int filch__sys_socket_error(int fd)
{
	int error = 0;
	socklen_t size = sizeof error;
	int err = RESULT(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size));

	return err ? err : -error;
}

int filch__sys_nonblock(int fd, bool on, bool *was)
{
	int flags = RESULT(fcntl(fd, F_GETFL));

	if (flags < 0)
		return flags;
	*was = flags & O_NONBLOCK;
	if (*was == on)
		return 0;
	return RESULT(fcntl(fd, F_SETFL, flags ^ O_NONBLOCK));
}

bool filch__sys_allows(int fd, bool out)
{
	int mode = RESULT(fcntl(fd, F_GETFL));

	mode = mode < 0 ? mode : mode & O_ACCMODE;
	return mode == O_RDWR || mode == (out ? O_WRONLY : O_RDONLY);
}

ssize_t filch__sys_readv(int fd, const struct iovec *v, int n, off_t offset, int flags)
{
	return RESULT(preadv2(fd, v, n, offset, flags));
}

ssize_t filch__sys_writev(int fd, const struct iovec *v, int n, off_t offset, int flags)
{
	return RESULT(pwritev2(fd, v, n, offset, flags));
}

int filch__sys_openat(int directory, const char *path, int flags, mode_t mode)
{
	return RESULT(openat(directory, path, flags, mode));
}

int filch__sys_statx(int directory, const char *path, int flags, unsigned mask,
                     struct statx *out)
{
	return RESULT(statx(directory, path, flags, mask, out));
}

/* Errors that openat() might not return: they come from old kernels, from filters of
 * system calls, from flags that only openat2() refuses, or from the flags that are added
 * here. */
static bool is_own_error(int r)
{
	return r == -ENOSYS || r == -EPERM || r == -EINVAL || r == -E2BIG || r == -ENXIO;
}

static int open_cached(int directory, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_CACHED};
	int r = RESULT((int)syscall(SYS_openat2, directory, path, &how, sizeof how));

	return is_own_error(r) ? -EAGAIN : r;
}

/* Opens with O_NONBLOCK, which keeps the system from waiting for the other end of a FIFO
 * or for a lease, and then clears the flag again. */
int filch__sys_openat_cached(int directory, const char *path, int flags)
{
	int r = -EAGAIN, err;

	if (!(flags & (O_CREAT | O_TRUNC | O_PATH)))
		r = open_cached(directory, path, flags | O_NONBLOCK);
	if (r < 0 || flags & O_NONBLOCK)
		return r;
	err = RESULT(fcntl(r, F_SETFL, flags));
	if (!err)
		return r;
	filch__sys_close(r);
	return -EAGAIN;
}

/* statx() itself has no such form, so it is called for a descriptor that was opened by
 * the name. It may still ask over a network if the attributes of an inode in memory are
 * too old. */
int filch__sys_statx_cached(int directory, const char *path, int flags, unsigned mask,
                            struct statx *out)
{
	const int known = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT |
	                  AT_STATX_DONT_SYNC;
	int how = flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0;
	int fd, r;

	if (flags & ~known)
		return -EAGAIN;
	if (flags & AT_EMPTY_PATH && !*path)
		return filch__sys_statx(directory, path, flags, mask, out);
	fd = open_cached(directory, path, O_PATH | O_CLOEXEC | how);
	if (fd < 0)
		return fd == -EMFILE || fd == -ENFILE ? -EAGAIN : fd;
	r = filch__sys_statx(fd, "", AT_EMPTY_PATH | (flags & AT_STATX_DONT_SYNC), mask,
	                     out);
	filch__sys_close(fd);
	return r;
}

/* The system has no flag for a sendfile() without SIGPIPE, so the signal is blocked
 * during the call, and removed if it was raised. If the caller had blocked it, it stays
 * pending. */
ssize_t filch__sys_sendfile(int socket, int file, off_t offset, size_t size)
{
	static const struct timespec now;
	sigset_t pipe, before, pending;
	ssize_t r;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	r = RESULT(sendfile(socket, file, &offset, size));
	if (r == -EPIPE && !sigismember(&before, SIGPIPE)) {
		sigpending(&pending);
		if (sigismember(&pending, SIGPIPE))
			(void)RESULT(sigtimedwait(&pipe, NULL, &now));
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

int filch__sys_fsync(int fd)
{
	return RESULT(fsync(fd));
}

ssize_t filch__sys_getdents(int fd, void *buffer, size_t size)
{
	return RESULT(syscall(SYS_getdents64, fd, buffer, size));
}

/* Here a close may end a call on purpose, which ThreadSanitizer would report as a
 * race. */
#if FILCH__TSAN
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#define IGNORE_WRITES(which) AnnotateIgnoreWrites##which(__FILE__, __LINE__)
#else
#define IGNORE_WRITES(which) ((void)0)
#endif

int filch__sys_close(int fd)
{
	int kept = errno, r;

	IGNORE_WRITES(Begin);
	r = close(fd);
	IGNORE_WRITES(End);
	if (r < 0)
		r = errno == EINTR ? 0 : -errno;
	errno = kept;
	return r;
}

static struct timespec span(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / FILCH_S), (long)(ns % FILCH_S)};
}

static int poll_for(struct pollfd *p, uint64_t deadline)
{
	uint64_t now = deadline && deadline != FILCH_NEVER ? filch__now_ns() : 0;
	struct timespec t = span(deadline > now ? deadline - now : 0);
	int kept = errno, r = ppoll(p, 1, deadline == FILCH_NEVER ? NULL : &t, NULL);

	if (r < 0)
		r = -errno;
	errno = kept;
	return r;
}

int filch__sys_poll(int fd, short events, uint64_t deadline)
{
	struct pollfd p = {fd, events, 0};
	int r;

	do {
		r = poll_for(&p, deadline);
	} while (r == -EINTR);
	assert(r <= 0 || p.revents);
	return r > 0 ? (unsigned short)p.revents : r;
}

/* Converts to milliseconds, rounded up; -1 means without a limit. */
static int coarse(uint64_t ns)
{
	return ns > INT_MAX * FILCH_MS ? ns == UINT64_MAX ? -1 : INT_MAX
	                               : (int)((ns + FILCH_MS - 1) / FILCH_MS);
}

int filch__sys_epoll_wait(int epoll, struct epoll_event *e, int n, uint64_t ns)
{
	struct timespec t = span(ns);
	int kept = errno;
	int r = epoll_pwait2(epoll, e, n, ns == UINT64_MAX ? NULL : &t, NULL);

	if (r < 0 && errno == ENOSYS) /* before Linux 5.11 */
		r = epoll_wait(epoll, e, n, coarse(ns));
	if (r < 0)
		r = -errno;
	errno = kept;
	assert(r <= n);
	return r;
}

int filch__sys_epoll_ctl(int epoll, int op, int fd, uint32_t events, uint64_t data)
{
	struct epoll_event e = {.events = events, .data.u64 = data};

	return RESULT(epoll_ctl(epoll, op, fd, &e));
}
