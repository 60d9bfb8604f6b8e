/* SPDX-License-Identifier: MIT */
/*
 * Programs to be simulated: tasks of Filch whose leaves take virtual time.
 */
#ifndef FILCH_SIM_PROGRAM_H
#define FILCH_SIM_PROGRAM_H

#include <filch.h>
#include <stdint.h>

#include "sim/engine.h"

struct sim_program {
	const char *name;
	const char *what;    /* what it does, for --list */
	const char *size_is; /* what its size means */
	uint64_t size;       /* if none is given */
	/* Runs it once in the pool, on the thread that is called main. Between sim_mark()
	 * and its return is what counts. */
	void (*run)(struct filch_pool *pool, uint64_t size);
};

extern const struct sim_program sim_fib, sim_uts, sim_loop, sim_phases, sim_map,
	sim_server;

#endif
