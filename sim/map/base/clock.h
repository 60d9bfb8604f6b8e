/* SPDX-License-Identifier: MIT */
/*
 * src/base/clock.h for code that is simulated: both clocks are the thread's virtual time.
 */
#ifndef FILCH_BASE_CLOCK_H
#define FILCH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "sim/engine.h"

static inline uint64_t filch__now_ns(void)
{
	if (!sim.me)
		return 1;
	sim_spend(sim.machine.costs.clock);
	sim_sync();
	return sim_now() + 1; /* 0 means that there is no time */
}

static inline uint64_t filch__ticks(void)
{
	return filch__now_ns();
}

static inline double filch__ticks_per_ns(void)
{
	return 1;
}

static inline uint64_t filch__ticks_per_us(void)
{
	return 1000;
}

#endif
