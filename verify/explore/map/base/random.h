/* SPDX-License-Identifier: MIT */
/*
 * src/base/random.h for code that runs under the model checker: what is random there is
 * tried in every way here, or, with VERIFY_NO_DICE, not at all: for clients of code that
 * draws numbers which nobody looks at.
 */
#ifndef FILCH_BASE_RANDOM_H
#define FILCH_BASE_RANDOM_H

#include "explore/explore.h"

struct filch__random {
	uint64_t state;
};

static inline struct filch__random filch__random_seed(uint64_t seed)
{
	return (struct filch__random){seed};
}

/* Two values are enough: the high bits choose a slot or a side. */
static inline uint64_t filch__random_next(struct filch__random *r)
{
	(void)r;
#ifdef VERIFY_NO_DICE
	return 0;
#else
	return explore_choose(2) << 32;
#endif
}

static inline uint64_t filch__random_below(struct filch__random *r, uint64_t n)
{
	(void)r;
	return explore_choose(n);
}

#endif
