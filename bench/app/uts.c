/* SPDX-License-Identifier: MIT */
/*
 * Unbalanced tree search: counts the nodes below as many roots as the size says. The tree is
 * binomial: a node has eight children with a probability of a little less than an eighth,
 * else none, hashed from the node's own state. So all subtrees look alike from above: most
 * are a few nodes, and a few have millions, two thousand deep. A node takes some nanoseconds.
 */
#include "bench/app/app.h"

#define CHILDREN 8
#define INNER 0x1ffb0000u /* of 2^32: 0.12492, so that a root has 1600 nodes on average */
#define ROOT 18

TASK(long, search, (uint64_t, state))
{
	PARTS(part, search, CHILDREN);
	int n = (uint32_t)state < INNER ? CHILDREN : 0;

	for (int i = 0; i < n; i++)
		SPAWN_PART(part, i, search, app_hash(state + (uint64_t)i));
	return 1 + SUM_PARTS(part, n, search);
}

TASK(long, forest, (size_t, first), (size_t, n))
{
	if (n == 1)
		return CALL(search, app_hash(ROOT + first));
	SPAWN(left, forest, first, n / 2);
	long right = CALL(forest, first + n / 2, n - n / 2);
	return JOIN(left) + right;
}

struct work {
	size_t roots;
	long answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->roots = size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, forest, (size_t)0, w->roots);
}

static uint64_t finish(void *work)
{
	uint64_t answer = (uint64_t)((struct work *)work)->answer;

	free(work);
	return answer;
}

APP(uts);
