/* SPDX-License-Identifier: MIT */
/* The sum over a binary tree of 1,023 nodes, as often as the size says, one sum after the other
 * in one task. A sum takes a microsecond: too little to be shared. */
#include "bench/app/tree.h"

#define LEVELS 10

TASK(long, again, (const struct node *, root), (size_t, n))
{
	long sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += CALL(tree_sum, root);
		__asm__ volatile("" : "+r"(root) : : "memory"); /* none is left out */
	}
	return sum;
}

struct work {
	struct node nodes[1 << LEVELS];
	const struct node *root;
	size_t n;
	long answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);
	struct node *next = w->nodes;

	w->root = tree_make(&next, LEVELS);
	w->n = size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, again, w->root, w->n);
}

static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	uint64_t answer = (uint64_t)w->answer;

	free(w);
	return answer;
}

APP(tree1023);
