/* SPDX-License-Identifier: MIT */
/*
 * The work that waits for one worker: its stealable set, things that it has taken from
 * the inbox, and records left over from a block steal. filch__make_ready(),
 * filch__next_own() and filch__next_own_for() are declared in strand/above.h.
 */
#ifndef FILCH_SCHED_OWN_H
#define FILCH_SCHED_OWN_H

#include "sched/seat.h"
#include "strand/above.h"

/* Errors: -ENOMEM. */
int filch__own_init(struct filch__seat *me);
void filch__own_destroy(struct filch__seat *me);

/* Returns about how many things are in the worker's stealable set. */
size_t filch__own_size(struct filch__worker *w);

/* Returns how many things the set has room for. */
size_t filch__own_capacity(const struct filch__worker *w);

/* Returns true if something was put aside that this worker could begin (strand/place.h). */
bool filch__aside_waits(struct filch__seat *me);

void filch__call_for_aside_slow(struct filch__seat *me);

/* Wakes all other workers if this one has put something aside. Caller: is about to run
 * something, or to sleep. */
static inline void filch__call_for_aside(struct filch__seat *me)
{
	if (FILCH_UNLIKELY(me->own.put_aside))
		filch__call_for_aside_slow(me);
}

/* Takes the next job that waits for this worker, and now and then one from the inbox.
 * Caller: in the scheduler. */
bool filch__from_own(struct filch__seat *me, struct filch__job *job);

/* Turns something ready into a job, for the worker that has taken it from a set or the
 * inbox. `stolen`: the set was another worker's. Returns false if it was an empty
 * deque. */
bool filch__take_ready(struct filch__seat *me, struct filch__ready *r, bool stolen,
                       struct filch__job *job);

/* The second keeps records that belong to no strand, where others can steal them. Caller:
 * the first has returned true. */
bool filch__can_carry(struct filch__seat *me);
void filch__carry(struct filch__seat *me, const filch_entry *e, size_t n);

#endif
