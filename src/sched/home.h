/* SPDX-License-Identifier: MIT */
/*
 * Homes: where the threads of workers run. A home is a group of processors that are near
 * each other (base/topology.h), so that the distance of two workers is that of two
 * processors. See README.md, "Homes".
 */
#ifndef FILCH_SCHED_HOME_H
#define FILCH_SCHED_HOME_H

#include "sched/seat.h"

/* Moves the calling thread to its worker's home, if the worker has one. Memory that the
 * thread touches first after this lies near it. Caller: the worker, when it begins. */
void filch__home_begin(struct filch__seat *me);

/* Moves the worker home if the kernel has moved it away, but not too often. Caller: the
 * worker, when it has nothing to do. */
void filch__home_return(struct filch__seat *me);

#endif
