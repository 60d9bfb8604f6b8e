/* SPDX-License-Identifier: MIT */
/*
 * Shelves: where strands are that wait for something and were not looked through for private
 * tasks when they stopped. A server's strands stop all the time and hide nothing, and to
 * look through a stack is to fetch all of it. So that is left until somebody is hungry.
 * See src/sched/README.md, "Shelves".
 */
#ifndef FILCH_SCHED_SHELF_H
#define FILCH_SCHED_SHELF_H

#include "sched/lock.h"

struct filch__strand;
struct filch__worker;

/* A worker's own: it puts strands there. Whoever resumes or sweeps one takes it off. */
struct filch__shelf {
	struct filch__lock lock; /* of all that follows, and of a sweep */
	struct filch__strand *newest, *oldest;
	_Atomic(uint32_t) count; /* for those who look */
};

/* The strand has stopped, and nobody else knows of it yet. */
void filch__shelve(struct filch__worker *w, struct filch__strand *s);

/* The strand is going to be run, or stolen from. Caller: holds it. */
void filch__unshelve(struct filch__strand *s);

/* Exposes what strands on v's shelf hide: looks at `most` of them, the newest first if it is
 * the caller's own, else the oldest, and stops at the first that hides something. True if
 * one did. Caller: in the scheduler. */
bool filch__shelf_sweep(struct filch__worker *w, struct filch__worker *v, unsigned most);

static inline bool filch__shelf_empty(struct filch__shelf *shelf)
{
	return !load_rlx(&shelf->count); /* a look; exact for who puts */
}

#endif
