/* SPDX-License-Identifier: MIT */
/*
 * The life of a worker: it finds work and does it. filch__work_until() is declared in
 * strand/above.h.
 */
#ifndef FILCH_SCHED_WORK_H
#define FILCH_SCHED_WORK_H

#include "sched/seat.h"

/* Makes the calling thread this worker, and returns when the pool stops. */
void filch__worker_main(struct filch__seat *me);

/* Finds work and does it, until filch__is_over() says so. */
void filch__work(struct filch__seat *me, struct filch__strand *until);

#endif
