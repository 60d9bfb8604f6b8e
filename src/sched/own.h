/* SPDX-License-Identifier: MIT */
/*
 * What waits for one worker: its stealable set, what it has taken from the inbox, what was
 * left over from a block steal. filch__make_ready(), filch__next_own() and
 * filch__next_own_for() are declared in strand/above.h.
 */
#ifndef FILCH_SCHED_OWN_H
#define FILCH_SCHED_OWN_H

#include "sched/seat.h"
#include "strand/above.h"

/* Errors: -ENOMEM. */
int filch__own_init(struct filch__seat *me);
void filch__own_destroy(struct filch__seat *me);

/* How many things are in the worker's stealable set, about. */
size_t filch__own_size(struct filch__worker *w);

/* How many things the set has room for. */
size_t filch__own_capacity(const struct filch__worker *w);

/* Takes the next job that waits for this worker, and now and then one from the inbox.
 * Caller: in the scheduler. */
bool filch__from_own(struct filch__seat *me, struct filch__job *job);

/* Turns something ready into a job, for the worker that has taken it from a set or the
 * inbox. `stolen`: the set was another worker's. False if there was nothing in it. */
bool filch__take_ready(struct filch__seat *me, struct filch__ready *r, bool stolen,
                       struct filch__job *job);

/* Keeps records that belong to no strand, where others can steal them. Caller: has asked
 * filch__can_carry(). */
bool filch__can_carry(struct filch__seat *me);
void filch__carry(struct filch__seat *me, const filch_entry *e, size_t n);

#endif
