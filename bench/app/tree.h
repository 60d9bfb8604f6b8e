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

TASK(long, tree_sum, (const struct node *, n))
{
	if (!n->left)
		return n->value;
	SPAWN(left, tree_sum, n->left);
	long right = CALL(tree_sum, n->right);
	return n->value + right + JOIN(left);
}

#endif
