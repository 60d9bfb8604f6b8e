/* SPDX-License-Identifier: MIT */
/*
 * Unbalanced tree search: a node's number of children is geometric, four on average, and
 * hashed from the node's own state, so that nobody can know where the large subtrees are.
 * Each node takes the same time. The seed of the simulation does not change the tree, or
 * runs could not be compared.
 */
#include "sim/program/program.h"

#define MOST 32
#define GO_ON 0xccccccccu /* 4 / 5 of 2^32: a mean of four children */
#define ROOT 18

static uint64_t node_ns;

static int children(uint64_t state)
{
	int n = 0;

	while (n < MOST && (uint32_t)state < GO_ON) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		state ^= state >> 32;
		n++;
	}
	return n;
}

FILCH_STATIC_TASK(long, search, (uint64_t, state), (int, depth))
{
	FILCH_FRAME(search) part[MOST];
	int n = depth ? children(state) : 0;
	long sum = 1;

	sim_work(node_ns);
	for (int i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], search, sim_hash(state + (uint64_t)i),
		               depth - 1);
	for (int i = n; i-- > 0;)
		sum += FILCH_JOIN_AT(&part[i], search);
	return sum;
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	node_ns = a->grain;
	sim_begin(pool);
	FILCH_RUN_ON(pool, search, sim_hash(ROOT), (int)a->size);
}

const struct sim_program sim_uts = {
	.name = "uts",
	.what = "counts the nodes of an unbalanced tree of depth SIZE",
	.size_is = "depth",
	.grain_is = "ns per node",
	.size = 9,
	.size_most = 20,
	.grain = 1000,
	.grain_most = 1000000000,
	.run = run,
};
