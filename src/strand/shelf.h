/* SPDX-License-Identifier: MIT */
/*
 * Shelves: where a strand lies that waits for something and was not looked through for
 * private tasks when it stopped. A server's strands stop all the time and hide nothing, and
 * looking through a stack means fetching all of it. So that is left until some worker is
 * hungry. See README.md, "Shelves".
 */
#ifndef FILCH_STRAND_SHELF_H
#define FILCH_STRAND_SHELF_H

#include "base/list.h"
#include "base/lock.h"

struct filch__strand;
struct filch__worker;

/* A worker's own: that worker puts strands there. Whoever resumes or sweeps a strand takes
 * it off. */
struct filch__shelf {
	struct filch__lock lock;    /* of all that follows, and of a sweep */
	struct filch__list strands; /* the newest last */
	_Atomic(uint32_t) count;    /* under the lock; anyone has a look */
};

/* Puts a strand there that has stopped. Caller: no other thread knows of the strand yet. */
void filch__shelve(struct filch__worker *w, struct filch__strand *s);

/* Takes a strand off that is going to be run, or stolen from, and waits for a sweep of it
 * to end. Caller: holds the strand, which was shelved in this wait. */
void filch__unshelve(struct filch__strand *s);

/* Exposes what strands on v's shelf hide. Looks at `most` of them, the newest first if the
 * shelf is w's own, else the oldest first, and stops at the first strand that hides
 * something. Returns whether one did. Caller: w, in the scheduler. */
bool filch__shelf_sweep(struct filch__worker *w, struct filch__worker *v, unsigned most);

static inline bool filch__shelf_empty(struct filch__shelf *shelf)
{
	return !load_rlx(&shelf->count); /* a look; exact for the worker that puts */
}

#endif
