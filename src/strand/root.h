/* SPDX-License-Identifier: MIT */
/*
 * Roots: tasks that a thread outside the pool has given to it and sleeps for. A future is
 * started by one as well, and nobody sleeps then.
 */
#ifndef FILCH_STRAND_ROOT_H
#define FILCH_STRAND_ROOT_H

#include <filch/detail/record.h>
#include <stdint.h>

#include "base/atomic.h"
#include "strand/ready.h"

/* Lives on the stack of the thread that waits. */
struct filch__root {
	struct filch__ready ready; /* first */
	struct filch__record *record;
	_Atomic(uint32_t) done; /* the thread sleeps on it */
};

/* A record's `sync` with this bit is the address of the root that waits for it. */
#define FILCH__IS_ROOT ((uintptr_t)2)

/* Wakes the thread that waits; the root may be gone afterwards. */
void filch__root_done(struct filch__root *root);

/* Sleeps until then. */
void filch__root_wait(struct filch__root *root);

#endif
