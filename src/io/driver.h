/* SPDX-License-Identifier: MIT */
/*
 * The reactor: a pool's driver, through which strands wait for descriptors and have files
 * read. The first call that needs a reactor makes it. See README.md.
 */
#ifndef FILCH_IO_DRIVER_H
#define FILCH_IO_DRIVER_H

#include "io/system.h"
#include "sched/lookout.h"

struct filch__rings;
struct filch__slot;
struct filch__told;

/* All fields but `next` are constant once the reactor is made. */
struct filch__reactor {
	struct filch__driver driver; /* first: the part that the scheduler knows */
	struct filch_pool *pool;
	int epoll, event; /* the epoll set, and the eventfd that ends a wait on it */
	uint32_t slots;
	struct filch__slot *slot;    /* by descriptor; pages are mapped on first touch */
	struct filch__told *told;    /* one for each worker, which alone uses it */
	struct filch__rings *rings;  /* NULL: files are left to helpers */
	struct filch__reactor *next; /* in the list of all pools' reactors */
};

_Static_assert(offsetof(struct filch__reactor, driver) == 0, "a driver is cast to it");

/* Finds the reactor of the caller's pool; it is NULL outside a pool.
 * Errors: -EMFILE, -ENFILE, -ENOMEM, -ENOSPC; or the error of io_uring, if the pool asked
 * for it and the system refuses it. */
int filch__io_self(struct filch__reactor **io);

/* ---- a descriptor, for all pools ---- */

/* Tells all pools that the number is a new descriptor's. Returns fd, which may also be an
 * error that is passed through. */
int filch__fd_new(int fd);

/* Tells all pools that the descriptor is going to be closed. Returns the kind that it was
 * to this reactor. */
enum filch__fd_kind filch__fd_close(const struct filch__reactor *io, int fd);

/* Tells all pools that the descriptor is closed. */
void filch__fd_closed(int fd);

#endif
