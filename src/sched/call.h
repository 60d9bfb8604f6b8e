/* SPDX-License-Identifier: MIT */
/*
 * Calling: waking an idle worker when there is something for it. See README.md, "Sleeping".
 * filch__call_somebody() and filch__call_all() are declared in strand/above.h.
 */
#ifndef FILCH_SCHED_CALL_H
#define FILCH_SCHED_CALL_H

#include "sched/seat.h"
#include "strand/above.h"

/* As filch__call_somebody(), or later if the worker is quiet. `me` may be NULL. */
void filch__call_soon(struct filch_pool *pool, struct filch__seat *me);

/* Between these two calls the worker makes things ready without calling for each; the second
 * one calls for all of them. */
void filch__call_hold(struct filch__seat *me);
void filch__call_held(struct filch__seat *me);

/* Much is about to be spawned here: an idle worker may ask at once. Caller: the worker,
 * inside. */
void filch__call_beggar(struct filch__worker *w);

/* Lets the worker run on all its processors again, if a caller has kept it off one. Caller:
 * the worker. */
void filch__call_answered(struct filch__seat *me);

#endif
