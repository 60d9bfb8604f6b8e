/* SPDX-License-Identifier: MIT */
/*
 * Calling: waking an idle worker when there is something for it. See README.md,
 * "Sleeping". filch__call_somebody() and filch__call_all() are declared in
 * strand/above.h.
 */
#ifndef FILCH_SCHED_CALL_H
#define FILCH_SCHED_CALL_H

#include "sched/seat.h"
#include "strand/above.h"

/* More busy workers than processors would take time from each other. So a worker beyond
 * that number comes only when the beggar wakes up. Returns how many more there may be. */
uint32_t filch__processors_left(struct filch_pool *pool);

/* Does what filch__call_somebody() does; if the worker is quiet, only at the end of that
 * time. `me` may be NULL. */
void filch__call_soon(struct filch_pool *pool, struct filch__seat *me);

/* Between calls of these two the worker is quiet: it makes things ready without calling
 * for each; the second function calls once, for all of them. */
void filch__call_hold(struct filch__seat *me);
void filch__call_held(struct filch__seat *me);

/* Calls an idle worker, if there is one, to run at the same time as this one. */
void filch__call_beside(struct filch__worker *w);

/* Has an idle worker come and ask, since this one begins a task, which may spawn others.
 * Caller: the worker, which counts as busy. */
void filch__call_to_begin(struct filch__seat *me);

/* Lets the worker run on all its processors again, if a caller has kept it off one. If the
 * worker was woken on the processor of its caller all the same, it moves to another one.
 * Caller: the worker. */
void filch__call_answered(struct filch__seat *me);

#endif
