/* SPDX-License-Identifier: MIT */
/*
 * Shelves that the scheduler sweeps: a hungry worker looks through strands that have stopped
 * and may hide tasks (strand/shelf.h), its own and those of busy workers. It sweeps those of
 * others after 50 us and then less and less often, up to 20 ms apart.
 */
#ifndef FILCH_SCHED_SHELVES_H
#define FILCH_SCHED_SHELVES_H

#include "sched/seat.h"

/* Sweeps the worker's own shelf, and takes a job that this has exposed. */
bool filch__from_shelf(struct filch__seat *me, struct filch__job *job);

/* Does the same with the shelves of busy workers; not so often that it gets in their way.
 * Workers that are not busy sweep for themselves. */
bool filch__from_shelves(struct filch__seat *me, struct filch__job *job);

#endif
