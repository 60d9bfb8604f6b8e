/* SPDX-License-Identifier: MIT */
/*
 * A strand that keeps its worker: it makes calls that may wait, and none of them has to,
 * since a descriptor is ready, a deadline has passed, or the group is cancelled. If the
 * strand polls for something that another strand does, and there is no other worker, that
 * other strand would never run. So every 64th such call in a row makes way: the strand
 * exposes what it hides, since it may be polling for a task of its own, and resumes after
 * everything that is ready. A yield alone exposes nothing, and a wait for a deadline that
 * has passed takes as long as the finest timer. A strand that polls by filch_yield() lets
 * others run, but may hide what it polls for, so every 1024th of these makes way as well.
 *
 * Functions whose names begin with try_ never stop the strand, and do not count.
 */
#ifndef FILCH_WAIT_KEEP_H
#define FILCH_WAIT_KEEP_H

#include <stdbool.h>

/* Counts a call that might have waited and does not; every 64th makes way, and the others
 * yield if `yields`. Does nothing outside a pool. Caller: holds no lock. */
void filch__keep_worker(bool yields);

/* Yields; every 1024th call makes way. Does nothing outside a pool. */
void filch__yield_worker(void);

#endif
