/* SPDX-License-Identifier: MIT */
/* The sum over a binary tree with as many levels as the size says: 24 are 16 million nodes. */
#include "bench/app/tree.h"

struct work {
	struct node *nodes;
	const struct node *root;
	long answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);
	struct node *next;

	w->nodes = next = (struct node *)app_alloc(((size_t)1 << size) * sizeof *next);
	w->root = tree_make(&next, (int)size);
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, tree_sum, w->root);
}

static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	uint64_t answer = (uint64_t)w->answer;

	free(w->nodes);
	free(w);
	return answer;
}

APP(tree16m);
