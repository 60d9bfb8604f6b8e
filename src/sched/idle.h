/* SPDX-License-Identifier: MIT */
/*
 * A worker that has found nothing: it spins, asks, sweeps shelves, begs, sleeps. See
 * README.md, "Begging" and "Sleeping". filch__take_questions() is declared in
 * strand/above.h.
 */
#ifndef FILCH_SCHED_IDLE_H
#define FILCH_SCHED_IDLE_H

#include "sched/seat.h"

/* Whether the worker is to stop looking for work: the pool stops, or `until` (when not NULL)
 * was woken. */
bool filch__is_over(struct filch__seat *me, struct filch__strand *until);

/* Waits for work while there is nothing at hand. Returns true with a job; false if it is
 * over. */
bool filch__wait_for_job(struct filch__seat *me, struct filch__strand *until,
                         struct filch__job *job);

/* Takes what strands hide that have stopped on this worker. */
bool filch__from_shelf(struct filch__seat *me, struct filch__job *job);

/* The worker runs strands from here on: it can be asked, and some worker must be there to
 * ask. */
void filch__become_busy(struct filch__seat *me);
void filch__become_idle(struct filch__seat *me);

#endif
