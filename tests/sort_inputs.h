/* SPDX-License-Identifier: MIT */
/*
 * Arrays that sorting is tried on.
 */
#ifndef FILCH_TESTS_SORT_INPUTS_H
#define FILCH_TESTS_SORT_INPUTS_H

#include "tests/test.h"

enum input {
	RANDOM,
	SORTED,
	REVERSED,
	EQUAL,
	ORGAN_PIPE,
	FEW,
	SAWTOOTH,
	RUNS,
	NEARLY,
	INPUTS
};

/* The i-th of n keys. */
static inline uint32_t input_key(enum input input, size_t i, size_t n,
                                 struct filch__random *r)
{
	switch (input) {
	case SORTED:
		return (uint32_t)i;
	case REVERSED:
		return (uint32_t)(n - i);
	case EQUAL:
		return 7;
	case ORGAN_PIPE:
		return (uint32_t)(i < n / 2 ? i : n - i);
	case FEW:
		return (uint32_t)filch__random_below(r, 5);
	case SAWTOOTH:
		return (uint32_t)(i % 97);
	case RUNS: /* up and down by turns, with equal ones in between */
		return (uint32_t)(i / 250 % 2 ? 250 - i % 250 : i % 250 / 3);
	case NEARLY:
		return (uint32_t)(filch__random_below(r, 100)
		                          ? i
		                          : filch__random_below(r, n));
	default:
		return (uint32_t)filch__random_next(r);
	}
}

/* The sizes that every input is tried with: all up to 100, and then some. */
static inline size_t next_size(size_t n)
{
	static const size_t larger[] = {127, 128, 129, 511, 513, 1000, 2049, 10007};

	if (n < 100)
		return n + 1;
	for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
		if (larger[i] > n)
			return larger[i];
	return 0;
}

#endif
