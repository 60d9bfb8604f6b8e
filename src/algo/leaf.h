/* SPDX-License-Identifier: MIT */
/*
 * How large the parts are whose results are combined: a function of the range alone, so that
 * the order of combination does not depend on who works. See README.md, "Leaves".
 */
#ifndef FILCH_ALGO_LEAF_H
#define FILCH_ALGO_LEAF_H

#include <stddef.h>

#define FILCH__LEAVES 4096

/* For n indices: so many, but no leaf below 1024 unless there are few indices; then about the
 * root of n leaves, since these indices may be dear. Never 0. */
static inline size_t filch__leaf(size_t n)
{
	size_t leaf = 1;

	while (leaf < 1024 && 4 * leaf * leaf < n)
		leaf *= 2;
	return n / FILCH__LEAVES > leaf ? n / FILCH__LEAVES : leaf;
}

#endif
