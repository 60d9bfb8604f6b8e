/* SPDX-License-Identifier: MIT */
/*
 * The epoll set of a reactor: waiting on it, ending that wait, and passing on the events
 * that it reports. See README.md.
 */
#ifndef FILCH_IO_EPOLL_H
#define FILCH_IO_EPOLL_H

#include "io/driver.h"

#define FILCH__EVENTS 128 /* the most that one wait reports */

/* The events that epoll has reported to a worker that is on the lookout. */
struct filch__told {
	int n;           /* events that are not served yet */
	uint64_t looked; /* when the worker last looked although it had much to do */
	struct epoll_event event[FILCH__EVENTS];
};

/* Errors: -EMFILE, -ENFILE, -ENOMEM, -ENOSPC. */
int filch__epoll_init(struct filch__reactor *io);
void filch__epoll_destroy(struct filch__reactor *io);

/* The functions of a driver, see sched/lookout.h. */
void filch__epoll_wait(struct filch__driver *d, uint64_t ns);
void filch__epoll_serve(struct filch__driver *d);
void filch__epoll_kick(struct filch__driver *d);

#endif
