/* SPDX-License-Identifier: MIT */
/*
 * Slots: the state of each descriptor number, and the strands that wait for it. Uses: one
 * call's view of a slot. See README.md.
 */
#ifndef FILCH_IO_SLOT_H
#define FILCH_IO_SLOT_H

#include "io/driver.h"
#include "wait/wait.h"

/* All fields are under the list's lock. */
struct filch__slot {
	alignas(FILCH_LINE) struct filch__waiters
		waiters;  /* kind: EPOLL bits; data: an int, for an error */
	uint32_t in, out; /* how often it was reported ready; a close adds to both */
	uint32_t closed;  /* how often the number was closed or taken to be new */
	uint8_t kind;     /* enum filch__fd_kind */
	bool watched;     /* it is in the epoll set */
	bool dry;         /* a TCP socket with nothing to read until the next report */
	bool odd;         /* it hung up, failed, or has urgent data: never dry */
};

_Static_assert(sizeof(struct filch__slot) == FILCH_LINE, "one line a descriptor");

/* Maps slots for all numbers that the process may ever have. Errors: -ENOMEM. */
int filch__slots_init(struct filch__reactor *io);
void filch__slots_destroy(struct filch__reactor *io);

/* Asserts the invariants of a slot. Caller: holds its lock. */
void filch__slot_check(const struct filch__slot *s);

/* ---- the lookout's side ---- */

#define FILCH__WOKEN 32

/* Strands that were claimed and are to be woken. */
struct filch__woken {
	uint32_t n;
	struct filch__wakeup one[FILCH__WOKEN];
};

void filch__woken_wake(struct filch__woken *w);

/* Counts a report of these events (EPOLLIN, ...), and fetches the memory that claiming
 * the first waiter needs. */
void filch__slot_report(struct filch__slot *s, uint32_t events);

/* Claims all strands that wait for these events. Wakes some at once if there are many. */
void filch__slot_claim(struct filch__slot *s, uint32_t events, struct filch__woken *w);

/* ---- numbers that change hands; see filch__fd_new() and those after it ---- */

/* The number is a new descriptor's: the slot forgets everything about the old one. */
void filch__slot_forget(struct filch__reactor *io, int fd);

/* The descriptor is going to be closed: the strands that wait for it get -EBADF. Returns
 * its kind. */
enum filch__fd_kind filch__slot_close(struct filch__reactor *io, int fd);

/* The descriptor is closed: the strands that began to wait for it since
 * filch__slot_close() try again. */
void filch__slot_closed(struct filch__reactor *io, int fd);

/* ---- the caller's side ---- */

/* A descriptor in use by a call, in the call's frame. */
struct filch__use {
	struct filch__reactor *io; /* NULL: outside a pool */
	struct filch__slot *slot;  /* NULL outside a pool, and for numbers too large */
	int fd;
	uint64_t deadline;
	enum filch__fd_kind kind;
	bool dry;                 /* there is nothing to read, so the call need not try */
	uint32_t in, out, closed; /* those of the slot before the call tried */
};

/* Begins a call. Errors: -ECANCELED, -EBADF, those of filch__io_self(). */
int filch__use_begin(struct filch__use *u, int fd, uint64_t deadline);

/* Begins a call that will not wait. Errors: the same. */
int filch__use_try(struct filch__use *u, int fd);

/* Finds the kind again: the number may have changed hands without filch_close(). */
int filch__use_again(struct filch__use *u);

/* Puts the descriptor into the epoll set unless it is there. Errors: as for
 * filch__use_wait(). */
int filch__use_watch(struct filch__use *u);

/* Waits until one of these events (POLLIN, ...) may have happened since the call last
 * tried.
 * Errors: -ETIMEDOUT; -ECANCELED; -EBADF: the descriptor was closed; -EPERM: it is a
 * file, and u->kind now says so; -ENOMEM, -ENOSPC. */
int filch__use_wait(struct filch__use *u, uint32_t events);

/* Notes that a read got less than it asked for, because there was no more. */
void filch__use_dry(struct filch__use *u);

/* Asserts that a use fits its slot. Caller: holds the slot's lock, and has noted the
 * slot. */
void filch__use_check(const struct filch__use *u);

#endif
