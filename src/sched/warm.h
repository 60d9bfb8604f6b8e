/* SPDX-License-Identifier: MIT */
/*
 * Warm: some worker of the process stays awake after it was useful (idle.h), so that what
 * follows soon need not wake one. All of this is hints.
 */
#ifndef FILCH_SCHED_WARM_H
#define FILCH_SCHED_WARM_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a worker of any pool has just been useful, and stays awake for what comes next. */
bool filch__is_warm(void);

/* A worker that stays awake says so. */
void filch__say_warm(uint64_t now);

/* Asks workers that have nothing to do to stay awake for a while, since something for them
 * comes again and again. The second function tells whether that was asked lately. */
void filch__want_warm(void);
bool filch__is_warm_wanted(uint64_t now);

#endif
