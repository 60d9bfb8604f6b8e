/* SPDX-License-Identifier: MIT */
/*
 * src/base/random.h for code that is simulated: the seed of the simulation changes every
 * sequence. With seed 0 they are the runtime's own.
 */
#ifndef FILCH_SIM_MAP_RANDOM_H
#define FILCH_SIM_MAP_RANDOM_H

#include "sim/engine.h"

#define filch__random_seed filch__random_seed_really
#include_next "base/random.h"
#undef filch__random_seed

static inline struct filch__random filch__random_seed(uint64_t seed)
{
	return filch__random_seed_really(seed + sim_seed * 0x9e3779b97f4a7c15u);
}

#endif
