/* SPDX-License-Identifier: MIT */
/* A complete binary tree in memory, and its sum by a task a node. */
#ifndef FILCH_BENCH_APP_TREE_H
#define FILCH_BENCH_APP_TREE_H

#include "bench/app/app.h"

struct node {
	long value;
	const struct node *left, *right; /* both, or none in a leaf */
};

/* Makes a tree of so many levels in the order of a recursive constructor, from *next on. */
static const struct node *tree_make(struct node **next, int levels)
{
	struct node *n = (*next)++;

	n->value = (long)(app_hash((uint64_t)levels) % 10);
	n->left = levels > 1 ? tree_make(next, levels - 1) : NULL;
	n->right = levels > 1 ? tree_make(next, levels - 1) : NULL;
	return n;
}

/* All go left first, through memory in order: a spawn in plain C is done at once, any other
 * after the call. */
#if defined(SEAM_SERIAL) || defined(SEAM_COUNT)
#define SPAWNED left
#define CALLED right
#else
#define SPAWNED right
#define CALLED left
#endif

TASK(long, tree_sum, (const struct node *, n))
{
	if (!n->left)
		return n->value;
	SPAWN(spawned, tree_sum, n->SPAWNED);
	long called = CALL(tree_sum, n->CALLED);
	return n->value + called + JOIN(spawned);
}

#endif
