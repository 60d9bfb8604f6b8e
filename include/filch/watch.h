/* SPDX-License-Identifier: MIT */
/*
 * Looking at another process that uses Filch. A program that was started with
 * FILCH_WATCH=on listens on a Unix socket from its first pool on. Whoever connects to it
 * sends a line, with any text, and receives a line: a snapshot of the process as one JSON
 * object, whose fields filch_watch(3) lists. `filch top` is written against this header,
 * and other tools can be.
 *
 *   int fd = filch_watch_open(pid);
 *   send(fd, "\n", 1, MSG_NOSIGNAL);
 *   recv(fd, buffer, size, 0);                 until a line has arrived
 *   close(fd);
 *
 * The socket is BASE/filch-UID/PID.sock. BASE is $XDG_RUNTIME_DIR if that is a directory
 * of the process' effective user, and /tmp otherwise; UID is that user. A process accepts
 * connections of its own user and of root, FILCH_WATCH_CLIENTS at a time.
 */
#ifndef FILCH_WATCH_H
#define FILCH_WATCH_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many connections a process answers at a time. Any other receives one line that
 * begins with FILCH_WATCH_ERROR, and is closed. */
#define FILCH_WATCH_CLIENTS 8
#define FILCH_WATCH_ERROR "{\"error\""

/* Connects to a process. Returns a descriptor, which is nonblocking and closed on exec,
 * or a negative errno: -ESRCH: there is no such process; -EPERM: it is another user's,
 * and the caller is not root; -ENOENT: it does not listen; -EAGAIN: it listens, but does
 * not accept connections now, as when it is stopped. */
int filch_watch_open(pid_t pid);

/* Calls found(pid, context) for each process of this user that listens, and returns how
 * many there are. Removes the sockets of processes that have been killed. */
size_t filch_watch_each(void (*found)(pid_t pid, void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
