/* SPDX-License-Identifier: MIT */
/*
 * System calls that suspend the strand instead of blocking its worker. They take the
 * arguments of the calls of the same name, and return a count, a descriptor or 0, or a
 * negative errno; they do not change errno itself. Descriptors need not be O_NONBLOCK. No
 * call returns -EINTR.
 *
 *   n = filch_read(fd, buffer, sizeof buffer);
 *   n = filch_read_until(fd, buffer, sizeof buffer, filch_after(FILCH_S));
 *
 * Each call ends with -ETIMEDOUT when its deadline passes, with -ECANCELED when the group
 * or future that the caller's task belongs to is cancelled, and with -EBADF when the
 * descriptor is closed by filch_close(). If bytes were transferred before that, their count
 * is returned instead. A call on a regular file that the system has begun is waited for,
 * and a connection that is being made when a deadline passes continues to be made. Like the
 * system calls, these may read or write less than was asked for; a read from a regular file
 * returns less only at the end of the file.
 *
 * Writing to a socket raises no SIGPIPE; writing to a pipe does, as usual. A listening
 * socket that connections are accepted from becomes O_NONBLOCK, and a socket is O_NONBLOCK
 * while connect begins; no other call changes that flag. Terminals, and other descriptors
 * that can be handled in no other way, are polled before a blocking call is made: if one
 * of them has several readers, a worker may block.
 *
 * Outside a pool these are the blocking calls, with the same results.
 *
 * Sockets and other descriptors that can be polled wait by epoll, edge-triggered. Files are
 * read and written by io_uring where the kernel allows it, and by helper threads otherwise.
 * The pool's option io, or FILCH_IO, chooses (auto, uring, or epoll, which means helper
 * threads for files); `filch info` shows the choice. Where io_uring was asked for and is
 * refused, each call returns the reason.
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
/* Sends `size` bytes of the file, beginning at `offset`, to a socket without copying them
 * through the process. It may send less, and sends 0 bytes at the end of the file. It makes
 * the socket O_NONBLOCK. */
ssize_t filch_sendfile(int socket, int file, off_t offset, size_t size);
/* Do not open a FIFO with filch_openat(): it may return without waiting for the other end,
 * as open(2) would, or wait beyond its deadline. Use filch_blocking() for that. */
int filch_openat(int directory, const char *path, int flags, mode_t mode);
int filch_statx(int directory, const char *path, int flags, unsigned mask,
                struct statx *out);
int filch_fsync(int fd);

/* Returns which of `events` (POLLIN, POLLOUT, ...) have happened, and POLLERR, POLLHUP. */
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

/* Closes the descriptor, and ends the calls that wait for it, in whatever pool, with -EBADF.
 * It cannot be cancelled: the descriptor is closed when this returns, whatever the result.
 * Descriptors that were used with these calls must be closed by this one: otherwise a call
 * for a new descriptor of the same number may wait in vain (except for one that
 * filch_accept() or filch_openat() returned, or that filch_connect() was called for). */
int filch_close(int fd);

/* ---- directories ---- */

struct filch_dir;

struct filch_dirent {
	uint64_t inode;
	unsigned char
		type; /* DT_REG, DT_DIR, ...; DT_UNKNOWN where the system does not say */
	const char *name; /* valid until the next call for this directory */
};

/* Opens a directory for reading; `path` is relative to the descriptor `directory`, which may
 * be AT_FDCWD. */
int filch_dir_open(struct filch_dir **d, int directory, const char *path);

/* Reads the next entry other than . and ..; returns 1, or 0 at the end, or a negative
 * errno. */
int filch_dir_next(struct filch_dir *d, struct filch_dirent *e);
int filch_dir_next_until(struct filch_dir *d, struct filch_dirent *e, uint64_t deadline);

/* The directory's descriptor, for filch_openat() and filch_statx(). */
int filch_dir_fd(const struct filch_dir *d);
void filch_dir_close(struct filch_dir *d);

/* ---- calls that cannot be made asynchronous ---- */

/* Runs function(argument) on a helper thread and returns its result. A pool has as many
 * helper threads as it needs, up to a limit (FILCH_HELPERS, 64 per pool); those that have
 * nothing to do end after a while. Calls beyond the limit wait their turn, and so do
 * operations on files without io_uring, which use the same threads. The call cannot be
 * cancelled. Outside a pool it is a plain call. */
void *filch_blocking(void *(*function)(void *), void *argument);

/* Returns 0, with *result (when not NULL) set; -ETIMEDOUT or -ECANCELED: the call's turn did
 * not come in time, and it will not be made. A call that has begun is waited for. */
int filch_blocking_until(void *(*function)(void *), void *argument, void **result,
                         uint64_t deadline);

#ifdef __cplusplus
}
#endif

#endif
