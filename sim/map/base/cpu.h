/* SPDX-License-Identifier: MIT */
/*
 * src/base/cpu.h for code that is simulated: a turn of a spin loop takes virtual time.
 */
#ifndef FILCH_SIM_MAP_CPU_H
#define FILCH_SIM_MAP_CPU_H

#define filch__relax filch__relax_really
#include_next "base/cpu.h"
#undef filch__relax

void sim_pause(void);
#define filch__relax() sim_pause()

#endif
