/* SPDX-License-Identifier: MIT */
/*
 * How large the blocks of a crew are where results do not depend on it.
 */
#ifndef FILCH_ALGO_BLOCK_H
#define FILCH_ALGO_BLOCK_H

#include <stddef.h>

/* For n indices. Many are mostly cheap: then taking a block, some 50 ns, must not count.
 * Few may each take long: then a block each. */
static inline size_t filch__block(size_t n, size_t most)
{
	size_t block = n / 64;

	return block > most ? most : block ? block : 1;
}

#endif
