/* SPDX-License-Identifier: MIT */
/*
 * Shelves: where a strand lies that waits for something and was not looked through for
 * private tasks when it stopped.
 *
 * A join that stops its strand exposes the tasks that the strand hides: mostly there are
 * some. A strand that waits for a descriptor, a lock or a time mostly hides none, and
 * finding that out means fetching its whole stack, which was the largest cost of a
 * server's strand outside the system. So such a strand is shelved before any thread can
 * wake it, and is looked through only when some worker is hungry. The worker that resumes
 * it takes it off.
 *
 * A worker that sweeps a strand owns the strand's deque meanwhile, under the shelf's
 * lock. The worker that resumes the strand takes this lock as well if the strand was
 * shelved in this wait (`shelf` of the strand, written before the strand can be woken).
 */
#ifndef FILCH_STRAND_SHELF_H
#define FILCH_STRAND_SHELF_H

#include "base/list.h"
#include "base/lock.h"

struct filch__strand;
struct filch__worker;

/* The shelf of a worker. Only that worker puts strands there; whoever resumes or sweeps a
 * strand takes it off. */
struct filch__shelf {
	struct filch__lock lock;    /* protects all that follows; held during a sweep */
	struct filch__list strands; /* the newest last */
	_Atomic(uint32_t) count;    /* written under the lock; any thread reads it */
};

/* Puts a stopped strand on w's shelf. Caller: no other thread knows of the strand yet. */
void filch__shelve(struct filch__worker *w, struct filch__strand *s);

/* Takes a strand off its shelf, to be run or stolen from, and waits for a sweep of it to
 * end. Caller: holds the strand, which was shelved in this wait. */
void filch__unshelve(struct filch__strand *s);

/* Exposes tasks that strands on v's shelf hide. Looks at up to `most` of the strands, the
 * newest first if the shelf is w's own, else the oldest first, and stops at the first one
 * that hides something. Returns whether one did. Caller: w, in the scheduler. */
bool filch__shelf_sweep(struct filch__worker *w, struct filch__worker *v, unsigned most);

static inline bool filch__shelf_empty(struct filch__shelf *shelf)
{
	return !load_rlx(&shelf->count); /* a look; exact for its own worker */
}

#endif
