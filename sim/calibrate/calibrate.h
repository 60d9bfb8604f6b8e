/* SPDX-License-Identifier: MIT */
/*
 * `filch sim calibrate`: measures on this machine what the simulator's costs stand for.
 * These sources are compiled against the real src/base, not against sim/map.
 */
#ifndef FILCH_SIM_CALIBRATE_H
#define FILCH_SIM_CALIBRATE_H

/* argv[0] is "calibrate". Returns the exit code. */
int sim_calibrate(int argc, char **argv);

#endif
