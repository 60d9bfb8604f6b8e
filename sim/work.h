/* SPDX-License-Identifier: MIT */
/*
 * All that a program asks of whatever runs it besides Filch: the simulator, where work takes
 * virtual time, or filch bench app --scaling, where a processor does it.
 */
#ifndef FILCH_SIM_WORK_H
#define FILCH_SIM_WORK_H

#include <stdint.h>

struct filch_pool;

/* The caller computes for this long. */
void sim_work(uint64_t ns);

/* The preparation is over: what the report counts is counted from here on. Called once,
 * on the thread that is called main. */
void sim_begin(struct filch_pool *pool);

#endif
