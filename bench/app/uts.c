/* SPDX-License-Identifier: MIT */
/*
 * Unbalanced tree search: counts the nodes of a tree whose depth is the size. A node's
 * number of children is geometric, four on average, and hashed from the node's own state,
 * so that nobody can know where the large subtrees are.
 */
#include "bench/app/app.h"

#define MOST 32
#define GO_ON 0xccccccccu /* 4 / 5 of 2^32: a mean of four children */
#define ROOT 18

static inline int children(uint64_t state)
{
	int n = 0;

	while (n < MOST && (uint32_t)state < GO_ON) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		state ^= state >> 32;
		n++;
	}
	return n;
}

TASK(long, search, (uint64_t, state), (int, depth))
{
	PARTS(part, search, MOST);
	int n = depth ? children(state) : 0;

	for (int i = 0; i < n; i++)
		SPAWN_PART(part, i, search, app_hash(state + (uint64_t)i), depth - 1);
	return 1 + SUM_PARTS(part, n, search);
}

struct work {
	int depth;
	long answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->depth = (int)size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, search, app_hash(ROOT), w->depth);
}

static uint64_t finish(void *work)
{
	uint64_t answer = (uint64_t)((struct work *)work)->answer;

	free(work);
	return answer;
}

APP(uts);
