/* SPDX-License-Identifier: MIT */
/*
 * How large the parts are whose results are combined: a function of the range alone, so that
 * the order of combination does not depend on who works. See README.md, "Leaves".
 */
#ifndef FILCH_ALGO_LEAF_H
#define FILCH_ALGO_LEAF_H

#include <stddef.h>

#define FILCH__LEAVES 1024

/* For n indices: about FILCH__LEAVES of them; if there are few indices only about the root of
 * n, since these are often cheap. Never 0. */
static inline size_t filch__leaf(size_t n)
{
	size_t leaf = n / FILCH__LEAVES, root = 1;

	while (root < FILCH__LEAVES / 4 && 4 * root * root < n)
		root *= 2;
	return leaf > root ? leaf : root;
}

#endif
