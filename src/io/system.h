/* SPDX-License-Identifier: MIT */
/*
 * System calls, with the results that all of Filch uses: they return a negative errno,
 * leave errno itself unchanged, and retry after EINTR. They are functions in a file of
 * their own, since a strand may resume on another thread after a wait, and compilers keep
 * the address of errno.
 */
#ifndef FILCH_IO_SYSTEM_H
#define FILCH_IO_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

struct statx;

/* The kinds of descriptors that calls must tell apart. */
enum filch__fd_kind {
	FILCH__FD_UNKNOWN,
	FILCH__FD_TCP,      /* a socket whose short reads say that there is no more */
	FILCH__FD_SOCKET,   /* any other socket */
	FILCH__FD_POLLABLE, /* a pipe, terminal, eventfd, ...: epoll may refuse it */
	FILCH__FD_FILE,     /* cannot be polled: it is always ready, and still blocks */
};

/* Finds the kind. Errors: -EBADF. */
int filch__sys_kind(int fd, enum filch__fd_kind *kind);

/* ---- sockets; the flags are MSG_ ---- */

ssize_t filch__sys_recv(int fd, const struct iovec *v, int n, int flags);
ssize_t filch__sys_send(int fd, const struct iovec *v, int n, int flags);
int filch__sys_accept(int fd, struct sockaddr *address, socklen_t *length, int flags);
int filch__sys_connect(int fd, const struct sockaddr *address, socklen_t length);

bool filch__sys_is_stream(int fd);

/* Returns SO_ERROR, as a negative errno. */
int filch__sys_socket_error(int fd);

/* Sets or clears O_NONBLOCK; *was says whether it was set. */
int filch__sys_nonblock(int fd, bool on, bool *was);

/* Whether the descriptor is open for writing (`out`) or for reading. */
bool filch__sys_allows(int fd, bool out);

/* ---- files and others; offset -1: the file's own position; the flags are RWF_ ---- */

ssize_t filch__sys_readv(int fd, const struct iovec *v, int n, off_t offset, int flags);
ssize_t filch__sys_writev(int fd, const struct iovec *v, int n, off_t offset, int flags);
int filch__sys_openat(int directory, const char *path, int flags, mode_t mode);
int filch__sys_statx(int directory, const char *path, int flags, unsigned mask,
                     struct statx *out);
int filch__sys_fsync(int fd);

/* These do the same without blocking, if the system has the name in memory. -EAGAIN means
 * that it has not, or does not know this kind of call. */
int filch__sys_openat_cached(int directory, const char *path, int flags);
int filch__sys_statx_cached(int directory, const char *path, int flags, unsigned mask,
                            struct statx *out);

/* Sends to an O_NONBLOCK socket, waits for the file, and raises no SIGPIPE. */
ssize_t filch__sys_sendfile(int socket, int file, off_t offset, size_t size);
ssize_t filch__sys_getdents(int fd, void *buffer, size_t size);

/* Whatever this returns, the descriptor is closed. */
int filch__sys_close(int fd);

/* Returns which of these events have happened, or 0 if none has by the deadline. With a
 * deadline of 0 the call does not wait. */
int filch__sys_poll(int fd, short events, uint64_t deadline);

/* Waits `ns` nanoseconds (UINT64_MAX: without a limit) for up to n events. May return
 * -EINTR. */
int filch__sys_epoll_wait(int epoll, struct epoll_event *e, int n, uint64_t ns);
int filch__sys_epoll_ctl(int epoll, int op, int fd, uint32_t events, uint64_t data);

#endif
