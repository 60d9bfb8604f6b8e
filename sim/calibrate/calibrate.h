/* SPDX-License-Identifier: MIT */
/*
 * `filch sim calibrate`: measures on this machine what the simulator's costs stand for.
 * These sources are compiled against the real src/base, not against sim/map.
 */
#ifndef FILCH_SIM_CALIBRATE_H
#define FILCH_SIM_CALIBRATE_H

#include <stddef.h>

#include "sim/machine.h"

/* argv[0] is "calibrate". Returns the exit code. */
int sim_calibrate(int argc, char **argv);

/* ---- between the files here ---- */

/* The lower quartile, since other programs may disturb a part of the samples; at least
 * 0. Sorts its argument. */
double sim_quartile(double *sample, size_t n);

/* Measures what a single thread can. */
void sim_calibrate_alone(struct sim_costs *c);

/* Measures what takes two threads, on these processors. Needs c->system_call and c->clock;
 * *line becomes the time to fetch a line from the other processor. Returns false if a
 * thread cannot be started or bound. */
bool sim_calibrate_pair(struct sim_costs *c, const unsigned cpu[2], double *line);

#endif
