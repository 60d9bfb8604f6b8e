/* SPDX-License-Identifier: MIT */
/*
 * A pool's driver: what it needs to wait for descriptors and to have files read. Made by
 * the first call that needs it. See README.md.
 */
#ifndef FILCH_IO_DRIVER_H
#define FILCH_IO_DRIVER_H

#include <filch/time.h>
#include <filch/wait.h>

#include "io/system.h"
#include "sched/lookout.h"

#define FILCH__EVENTS 128 /* taken at a time */

struct filch__rings;

/* A descriptor number, in what uses it has now. All under the list's lock. */
struct filch__slot {
	alignas(FILCH_LINE) struct filch__waiters
		waiters;  /* kind: EPOLL bits; data: int */
	uint32_t in, out; /* so many times was it reported to be ready */
	uint32_t closed;  /* times, by filch_close() */
	uint8_t kind;     /* enum filch__fd_kind */
	bool watched;     /* it is in the epoll set */
	bool dry;         /* a TCP socket that has nothing to read until it is reported */
	bool odd;         /* has hung up, failed, or urgent data: never counts as dry */
};

_Static_assert(sizeof(struct filch__slot) == FILCH_LINE, "one line a descriptor");

/* What a worker that is on the lookout has been told. */
struct filch__told {
	int n;
	uint64_t looked; /* when it last had a look though it had much to do */
	struct epoll_event event[FILCH__EVENTS];
};

struct filch__reactor {
	struct filch__driver driver; /* first */
	struct filch_pool *pool;     /* all constant */
	int epoll, event;            /* `event` ends a wait */
	uint32_t slots;
	struct filch__slot *slot;    /* by descriptor; memory comes when touched */
	struct filch__told *told;    /* each worker's own */
	struct filch__rings *rings;  /* NULL: files are left to helpers */
	struct filch__reactor *next; /* of all pools' */
};

/* The caller's driver; NULL outside a pool.
 * Errors: -EMFILE, -ENFILE, -ENOMEM; or what refused io_uring, if that was asked for. */
int filch__io_self(struct filch__reactor **io);

/* ---- descriptors that can be waited for: epoll.c ---- */

int filch__epoll_init(struct filch__reactor *io);
void filch__epoll_destroy(struct filch__reactor *io);

/* The driver's, see sched/lookout.h. */
void filch__epoll_wait(struct filch__driver *d, uint64_t ns);
void filch__epoll_serve(struct filch__driver *d);
void filch__epoll_kick(struct filch__driver *d);

/* A descriptor in use by a call: in its frame. */
struct filch__use {
	struct filch__reactor *io; /* NULL: outside a pool */
	struct filch__slot *slot;  /* NULL there, and for numbers beyond all limits */
	int fd;
	uint64_t deadline;
	enum filch__fd_kind kind;
	bool dry;                 /* nothing to read: no need to try */
	uint32_t in, out, closed; /* the slot's, before the call tried */
};

/* Finds out anew what it is; a number may have changed hands behind our back. */
int filch__use_again(struct filch__use *u);

/* Begins a call. Errors: -ECANCELED, -EBADF, those of filch__io_self(). */
int filch__use_begin(struct filch__use *u, int fd, uint64_t deadline);

/* Has it watched, if it is not yet. Errors: as below. */
int filch__use_watch(struct filch__use *u);

/* Waits until one of these events (POLLIN, ...) may have happened since the call last
 * tried.
 * Errors: -ETIMEDOUT; -ECANCELED; -EBADF: it was closed; -EPERM: it is a file, and u->kind
 * now says so; -ENOMEM, -ENOSPC. */
int filch__use_wait(struct filch__use *u, uint32_t events);

/* A read has got less than it asked for: there was no more. */
void filch__use_dry(struct filch__use *u);

/* The number is a new descriptor's: nothing that is known of it holds. */
void filch__slot_forget(struct filch__reactor *io, int fd);

/* The same for all pools. Returns fd. */
int filch__fd_new(int fd);

/* It is going to be closed: those who wait for it are told so. Returns what it was. */
enum filch__fd_kind filch__slot_close(struct filch__reactor *io, int fd);

/* It is closed: those who have come to wait for it since are to try again. */
void filch__slot_closed(struct filch__reactor *io, int fd);

/* The same for all pools; the kind is what it was to this one. */
enum filch__fd_kind filch__fd_close(const struct filch__reactor *io, int fd);
void filch__fd_closed(int fd);

#endif
