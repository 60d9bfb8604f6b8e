/* SPDX-License-Identifier: MIT */
/*
 * The functions that are single-stepped: hostile.c and hostile.cc define them, and
 * stepper.c runs them, with a question at each boundary between two instructions.
 */
#ifndef FILCH_TESTS_STEP_H
#define FILCH_TESTS_STEP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hostile {
	const char *name;
	long (*call)(void); /* a task without parameters; returns the same each time */
	int grouped;        /* it has tasks of a group, which only a worker can run */
};

extern const struct hostile hostile[];
extern const size_t hostiles;

/* How many tasks have run; every task of the functions above adds one. */
extern long step_runs;
#define STEP_RUN() __atomic_fetch_add(&step_runs, 1, __ATOMIC_RELAXED)

#ifdef __cplusplus
}
#endif

#endif
