/* SPDX-License-Identifier: MIT */
/*
 * What is known after a program was simulated on one machine.
 */
#ifndef FILCH_SIM_RESULT_H
#define FILCH_SIM_RESULT_H

#include "sim/cache.h"
#include "sim/options.h"

struct sim_result {
	unsigned cores;
	char topology[256];
	uint64_t time, work; /* in picoseconds, as all times here */
	unsigned busy;       /* how many cores have computed anything */
	uint64_t spread;     /* when the last of these began to */
	uint64_t signals, wakes, switches;
	uint64_t messages;
	struct filch_stats stats;
	size_t places, lines;
	struct sim_place place[SIM_TOP_MOST];
	struct sim_hot line[SIM_TOP_MOST];
};

/* Simulates the program of the options on this machine, in a process of its own. Returns
 * the exit code; if it is not 0, a message was printed. */
int sim_measure(const struct sim_options *o, size_t machine, struct sim_result *out);

/* Names a place of the source in words, such as "src/sched/idle.c:12 load_acq(&p->busy)";
 * the texts of all plain accesses are found at once. */
#define SIM_NAME 160
void sim_name_places(const struct sim_place *const *place, size_t n,
                     char (*name)[SIM_NAME]);

/* Prints one line of the table, before the first one its head. */
void sim_report_row(const struct sim_options *o, const struct sim_result *r);

/* Prints the places and lines with the most messages. */
void sim_report_top(const struct sim_options *o, const struct sim_result *r);

/* Prints all that is known as one line of JSON. */
void sim_report_json(const struct sim_options *o, const struct sim_result *r);

#endif
