/* SPDX-License-Identifier: MIT */
/*
 * The functions that strands need of the scheduler, which lies above this room. src/sched
 * defines them, and this room uses nothing else of it.
 */
#ifndef FILCH_STRAND_ABOVE_H
#define FILCH_STRAND_ABOVE_H

#include <stdbool.h>
#include <stddef.h>

#include "strand/ready.h"

struct filch_pool;
struct filch__strand;
struct filch__worker;

/* Puts r where workers look for work, and wakes one that is idle. `w` is the calling
 * worker of this pool, or NULL. */
void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r);

/* Wakes an idle worker after something was made stealable. `w` is as above. */
void filch__call_somebody(struct filch_pool *pool, struct filch__worker *w);

/* Does the same after this worker has exposed so many tasks: it wakes up to two, if the
 * tasks are enough for them and for a worker that searches. */
void filch__call_for(struct filch__worker *w, size_t tasks);

/* Returns for how many workers a worker that is asked should expose tasks: the one that
 * asks, and those that filch__call_for() would wake. */
size_t filch__takers(struct filch__worker *w);

/* Whether any worker of the pool looks for work, or one could be woken to do it. A hint. */
bool filch__anyone_hungry(struct filch__worker *w);

/* Whether any worker near this one looks for work. A hint. */
bool filch__anyone_searches(struct filch__worker *w);

/* Has an idle worker ask at once, since there is or will be much to do here. Caller: the
 * worker, inside. */
void filch__call_beggar(struct filch__worker *w);

/* Wakes this worker, if it sleeps, after what it waits for was done. */
void filch__call_worker(struct filch__worker *w);

/* Wakes all idle workers: the strand that was just woken waits in place on one of
 * them. */
void filch__call_all(struct filch_pool *pool);

/* Takes the strand that comes next in the worker's own stealable set. Returns NULL if
 * something else comes next, or if it is time to look elsewhere first. The second
 * function also puts `instead` at the end of the set, in the same step; its worker must
 * be the only one of the pool. */
struct filch__strand *filch__next_own(struct filch__worker *w);
struct filch__strand *filch__next_own_for(struct filch__worker *w,
                                          struct filch__strand *instead);

/* Does other work, on the worker's own stack, until this strand, which waits in place,
 * may resume. */
void filch__work_until(struct filch__worker *w, struct filch__strand *s);

#endif
