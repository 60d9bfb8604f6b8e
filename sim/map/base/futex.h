/* SPDX-License-Identifier: MIT */
/*
 * src/base/futex.h for code that is simulated.
 */
#ifndef FILCH_BASE_FUTEX_H
#define FILCH_BASE_FUTEX_H

#include "base/atomic.h"
#include "sim/kernel.h"

static inline void filch__futex_wait(uint32_t *p, uint32_t expected)
{
	sim_futex_wait(p, expected, UINT64_MAX);
}

static inline void filch__futex_wait_for(uint32_t *p, uint32_t expected, uint64_t ns)
{
	sim_futex_wait(p, expected, ns);
}

static inline void filch__futex_wake(uint32_t *p, int n)
{
	sim_futex_wake(p, n);
}

#endif
