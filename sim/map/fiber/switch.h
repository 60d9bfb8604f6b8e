/* SPDX-License-Identifier: MIT */
/*
 * src/fiber/switch.h for code that is simulated: a switch takes virtual time.
 */
#ifndef FILCH_SIM_MAP_FIBER_SWITCH_H
#define FILCH_SIM_MAP_FIBER_SWITCH_H

#define filch__fiber_switch filch__fiber_switch_really
#include_next "fiber/switch.h"
#undef filch__fiber_switch

void sim_fiber(void);

static inline void filch__fiber_switch(struct filch__fiber *from, struct filch__fiber *to,
                                       bool ends)
{
	sim_fiber();
	filch__fiber_switch_really(from, to, ends);
}

#endif
