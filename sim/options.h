/* SPDX-License-Identifier: MIT */
/*
 * The options of `filch sim`.
 */
#ifndef FILCH_SIM_OPTIONS_H
#define FILCH_SIM_OPTIONS_H

#include <filch/pool.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/machine.h"
#include "sim/program/program.h"

#define SIM_CORES_MOST 1024
#define SIM_MACHINES_MOST 64
#define SIM_TOP_MOST 100

/* The kind of queue into which every spawn goes, in a build for that: filch-sim-KIND. */
#ifndef SIM_QUEUE
#define SIM_QUEUE ""
#endif

struct sim_options {
	const struct sim_program *program;
	struct sim_arguments arguments;
	unsigned cores[SIM_MACHINES_MOST]; /* of each machine */
	size_t machines;
	uint64_t settle; /* us, at most, until all workers sleep and the program begins */
	const char *topology; /* NULL: sim_machine_describe() */
	struct sim_costs costs;
	struct filch_pool_options pool; /* without workers and topology */
	const char *queue; /* the kind into which every spawn goes; NULL: none does */
	bool json, verbose;
	size_t top;        /* how many places and lines are named */
	const char *trace; /* the file, of the machine with the most cores; or NULL */
};

/* Returns -1 if a simulation is to be run, or the exit code if all is done, such as 2
 * after a message about a wrong option. */
int sim_options_read(struct sim_options *o, int argc, char **argv);

/* The number of the machine with the most cores. */
size_t sim_options_largest(const struct sim_options *o);

#endif
