/* SPDX-License-Identifier: MIT */
/*
 * Roots: tasks that threads outside the pool have given to it. The thread is a worker of
 * the pool until its task is done, or, if the pool has no seat for it, sleeps as long. A
 * root also starts a future, and then no thread waits.
 */
#ifndef FILCH_STRAND_ROOT_H
#define FILCH_STRAND_ROOT_H

#include <filch/detail/record.h>
#include <stdint.h>

#include "base/atomic.h"
#include "strand/ready.h"

struct filch__worker;

/* Lies on the stack of the thread that waits, or in the future. */
struct filch__root {
	struct filch__ready ready; /* first */
	struct filch__record *record;
	enum filch__depth depth; /* of the stack that it runs on */
	/* The worker that the thread is while it waits (sched/lend.h), or NULL. */
	struct filch__worker *worker;
	_Atomic(uint32_t) done; /* a thread that is no worker sleeps on it */
};

/* A record's `sync` with this bit is the address of the root that waits for it. */
#define FILCH__IS_ROOT ((uintptr_t)2)

/* How many threads outside the pools wait, without a deadline, for what a strand or
 * another thread does: in FILCH_RUN, or for a future or a lock. */
extern _Atomic(uint32_t) filch__stuck;

/* Wakes the thread that waits; the root may be gone afterwards. */
void filch__root_done(struct filch__root *root);

/* Returns when filch__root_done() has been called; sleeps until then. */
void filch__root_wait(struct filch__root *root);

#endif
