/* SPDX-License-Identifier: MIT */
/*
 * System calls that suspend the strand instead of blocking its worker. They take what the
 * calls of the same name take, and return a count, a descriptor or 0, or a negative errno;
 * errno itself is not changed. Descriptors need not be O_NONBLOCK. EINTR is never seen.
 *
 *   n = filch_read(fd, buffer, sizeof buffer);
 *   n = filch_read_until(fd, buffer, sizeof buffer, filch_after(FILCH_S));
 *
 * Each call ends with -ETIMEDOUT when its deadline passes, with -ECANCELED when the group
 * or future that the caller's task belongs to is cancelled, and with -EBADF when somebody
 * closes the descriptor with filch_close(). What has been transferred before that counts:
 * then the count is returned. A call on a regular file that the system has begun is waited
 * for, and a connection that is being made when a deadline passes goes on to be made. As
 * the system calls, these may read or write less than was asked; of a regular file less is
 * read at its end only.
 *
 * Writing to a socket raises no SIGPIPE; to a pipe it does, as ever. A listening socket
 * that connections are accepted from is made O_NONBLOCK, and a socket is so while connect
 * begins; no other call changes that flag. Terminals, and what else has no other way, are
 * asked whether they are ready before a blocking call is made: with several readers of
 * one, a worker may block.
 *
 * Outside a pool they are the blocking calls, with the same results.
 *
 * The system's part is epoll for what can be polled; for files it is io_uring where the
 * kernel allows it, else helper threads. The option io of a pool, or FILCH_IO, chooses
 * (auto, uring, epoll), `filch info` tells. Where io_uring was asked for and is refused,
 * each call returns the reason.
 */
#ifndef FILCH_IO_H
#define FILCH_IO_H

#include <filch/time.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct statx;

ssize_t filch_read(int fd, void *buffer, size_t size);
ssize_t filch_write(int fd, const void *buffer, size_t size);
ssize_t filch_pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t filch_pwrite(int fd, const void *buffer, size_t size, off_t offset);
ssize_t filch_readv(int fd, const struct iovec *v, int n);
ssize_t filch_writev(int fd, const struct iovec *v, int n);
ssize_t filch_recv(int fd, void *buffer, size_t size, int flags);
ssize_t filch_send(int fd, const void *buffer, size_t size, int flags);
int filch_accept(int fd, struct sockaddr *address, socklen_t *length, int flags);
int filch_connect(int fd, const struct sockaddr *address, socklen_t length);
/* Sends `size` bytes of the file from `offset` on to a socket, without copying them through
 * the process. May send less, 0 at the end of the file. Makes the socket O_NONBLOCK. */
ssize_t filch_sendfile(int socket, int file, off_t offset, size_t size);
/* A FIFO is not opened by this one, which need not wait for its other end as open(2) does,
 * or may wait without heeding the deadline; filch_blocking() does that. */
int filch_openat(int directory, const char *path, int flags, mode_t mode);
int filch_statx(int directory, const char *path, int flags, unsigned mask,
                struct statx *out);
int filch_fsync(int fd);

/* Which of `events` (POLLIN, POLLOUT, ...) have happened, and POLLERR, POLLHUP. */
int filch_poll(int fd, short events);

ssize_t filch_read_until(int fd, void *buffer, size_t size, uint64_t deadline);
ssize_t filch_write_until(int fd, const void *buffer, size_t size, uint64_t deadline);
ssize_t filch_pread_until(int fd, void *buffer, size_t size, off_t offset,
                          uint64_t deadline);
ssize_t filch_pwrite_until(int fd, const void *buffer, size_t size, off_t offset,
                           uint64_t deadline);
ssize_t filch_readv_until(int fd, const struct iovec *v, int n, uint64_t deadline);
ssize_t filch_writev_until(int fd, const struct iovec *v, int n, uint64_t deadline);
ssize_t filch_recv_until(int fd, void *buffer, size_t size, int flags, uint64_t deadline);
ssize_t filch_send_until(int fd, const void *buffer, size_t size, int flags,
                         uint64_t deadline);
int filch_accept_until(int fd, struct sockaddr *address, socklen_t *length, int flags,
                       uint64_t deadline);
int filch_connect_until(int fd, const struct sockaddr *address, socklen_t length,
                        uint64_t deadline);
ssize_t filch_sendfile_until(int socket, int file, off_t offset, size_t size,
                             uint64_t deadline);
int filch_openat_until(int directory, const char *path, int flags, mode_t mode,
                       uint64_t deadline);
int filch_statx_until(int directory, const char *path, int flags, unsigned mask,
                      struct statx *out, uint64_t deadline);
int filch_fsync_until(int fd, uint64_t deadline);
int filch_poll_until(int fd, short events, uint64_t deadline);

/* Closes it, and ends the calls that wait for it, in whatever pool, with -EBADF. Not
 * cancelled: it is closed when this returns, whatever that is. Descriptors that were used
 * with these calls are to be closed by this one: else a call for a new descriptor of the
 * same number may wait in vain (but not for one that filch_accept() or filch_openat()
 * returned, or that filch_connect() was called for). */
int filch_close(int fd);

/* ---- directories ---- */

struct filch_dir;

struct filch_dirent {
	uint64_t inode;
	unsigned char
		type; /* DT_REG, DT_DIR, ...; DT_UNKNOWN where the system does not say */
	const char *name; /* until the next call for this directory */
};

/* Opens a directory for reading; `path` is relative to the descriptor, or AT_FDCWD. */
int filch_dir_open(struct filch_dir **d, int directory, const char *path);

/* The next entry, other than . and ..; 1, or 0 at the end, or a negative errno. */
int filch_dir_next(struct filch_dir *d, struct filch_dirent *e);
int filch_dir_next_until(struct filch_dir *d, struct filch_dirent *e, uint64_t deadline);

/* Its descriptor, for filch_openat() and filch_statx(). */
int filch_dir_fd(const struct filch_dir *d);
void filch_dir_close(struct filch_dir *d);

/* ---- calls that cannot be made asynchronous ---- */

/* Runs function(argument) on a thread for such things, and returns its result. There are
 * as many of these threads as are needed, up to a limit (FILCH_HELPERS, 64 a pool); those
 * that have nothing to do end after a while. Calls beyond that wait their turn; so do
 * operations on files without io_uring, which use the same threads. Not cancelled. Outside
 * a pool: a plain call. */
void *filch_blocking(void *(*function)(void *), void *argument);

/* 0, with *result (when not NULL) set; -ETIMEDOUT or -ECANCELED: its turn did not come in
 * time, and it will not be run. A call that has begun is waited for. */
int filch_blocking_until(void *(*function)(void *), void *argument, void **result,
                         uint64_t deadline);

#ifdef __cplusplus
}
#endif

#endif
