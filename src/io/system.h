/* SPDX-License-Identifier: MIT */
/*
 * The system calls, with results as the rest has them: a negative errno, errno itself
 * unchanged, EINTR never seen. Each is a function of its own in a file of its own, since a
 * strand goes on on another thread after a wait, and compilers keep the address of errno.
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

/* What a descriptor is, as far as it matters here. */
enum filch__fd_kind {
	FILCH__FD_UNKNOWN,
	FILCH__FD_TCP,      /* a socket, whose short reads say that there is no more */
	FILCH__FD_SOCKET,   /* another one */
	FILCH__FD_POLLABLE, /* pipe, terminal, eventfd, ...; perhaps */
	FILCH__FD_FILE, /* cannot be polled: is always ready, and blocks all the same */
};

/* Errors: -EBADF. */
int filch__sys_kind(int fd, enum filch__fd_kind *kind);

/* Sockets; the flags are MSG_. */
ssize_t filch__sys_recv(int fd, const struct iovec *v, int n, int flags);
ssize_t filch__sys_send(int fd, const struct iovec *v, int n, int flags);
int filch__sys_accept(int fd, struct sockaddr *address, socklen_t *length, int flags);
int filch__sys_connect(int fd, const struct sockaddr *address, socklen_t length);

bool filch__sys_is_stream(int fd);

/* SO_ERROR, as a negative errno. */
int filch__sys_socket_error(int fd);

/* Sets or clears O_NONBLOCK; says whether it was set. */
int filch__sys_nonblock(int fd, bool on, bool *was);

/* Whether it is open, for writing or for reading. */
bool filch__sys_allows(int fd, bool out);

/* Others; offset -1: where the file is. The flags are RWF_. */
ssize_t filch__sys_readv(int fd, const struct iovec *v, int n, off_t offset, int flags);
ssize_t filch__sys_writev(int fd, const struct iovec *v, int n, off_t offset, int flags);
int filch__sys_openat(int directory, const char *path, int flags, mode_t mode);
int filch__sys_statx(int directory, const char *path, int flags, unsigned mask,
                     struct statx *out);
int filch__sys_fsync(int fd);

/* The same of what the system has in memory, without blocking. -EAGAIN: it has not, or does
 * not know this kind of call. */
int filch__sys_openat_cached(int directory, const char *path, int flags);
int filch__sys_statx_cached(int directory, const char *path, int flags, unsigned mask,
                            struct statx *out);

/* To an O_NONBLOCK socket; waits for the file. No SIGPIPE. */
ssize_t filch__sys_sendfile(int socket, int file, off_t offset, size_t size);
ssize_t filch__sys_getdents(int fd, void *buffer, size_t size);

/* It is closed then, whatever this returns. */
int filch__sys_close(int fd);

/* What of these events has happened, 0 if nothing has until the deadline (0: now). */
int filch__sys_poll(int fd, short events, uint64_t deadline);

/* Waits `ns` (UINT64_MAX: for good) for up to n events. -EINTR is a result here. */
int filch__sys_epoll_wait(int epoll, struct epoll_event *e, int n, uint64_t ns);
int filch__sys_epoll_ctl(int epoll, int op, int fd, uint32_t events, uint64_t data);

#endif
