/* SPDX-License-Identifier: MIT */
/*
 * src/base/clock.h for code that runs under the model checker: time stands still. What is
 * due and what is not is decided by the deadlines that a client sets.
 */
#ifndef FILCH_BASE_CLOCK_H
#define FILCH_BASE_CLOCK_H

#include <stdint.h>

#define VERIFY_NOW ((uint64_t)1 << 30)

static inline uint64_t filch__now_ns(void)
{
	return VERIFY_NOW;
}

static inline uint64_t filch__ticks(void)
{
	return VERIFY_NOW;
}

static inline uint64_t filch__ticks_per_us(void)
{
	return 1000;
}

#endif
