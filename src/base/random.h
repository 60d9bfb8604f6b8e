/* SPDX-License-Identifier: MIT */
/*
 * Small, fast, repeatable random numbers (xorshift64*, G. Marsaglia / S. Vigna): for
 * choosing victims and for tests, never for secrets.
 */
#ifndef FILCH_BASE_RANDOM_H
#define FILCH_BASE_RANDOM_H

#include <stdint.h>

struct filch__random {
	uint64_t state; /* never 0 */
};

/* Any seed will do, 0 included; different seeds give unrelated sequences. */
static inline struct filch__random filch__random_seed(uint64_t seed)
{
	/* One round of splitmix64, so that seeds 1, 2, 3 do not start alike. */
	uint64_t z = seed + 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (struct filch__random){z ? z : 1};
}

static inline uint64_t filch__random_next(struct filch__random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * 0x2545f4914f6cdd1du;
}

/* A number below n; n must be from 1 to 2^32. */
static inline uint64_t filch__random_below(struct filch__random *r, uint64_t n)
{
	return ((filch__random_next(r) >> 32) * n) >> 32;
}

#endif
