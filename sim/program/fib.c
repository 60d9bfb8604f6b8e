/* SPDX-License-Identifier: MIT */
/*
 * fib(n) by recursion. fib(grain) is one leaf, which takes as long as all calls that it
 * would make; a thief can steal nothing smaller.
 */
#include "sim/program/program.h"

#define CALL_PS 2200 /* a call of fib with its spawn and join, gcc -O2 */

/* How many calls fib(n) makes, itself included. */
static uint64_t calls(int n)
{
	uint64_t a = 1, b = 1;

	for (int i = 2; i <= n; i++) {
		uint64_t c = a + b + 1;

		a = b;
		b = c;
	}
	return b;
}

static int leaf;
static uint64_t leaf_ns, smaller_ns; /* of fib(leaf) and fib(leaf - 1) */

FILCH_STATIC_TASK(uint64_t, fib, (int, n))
{
	if (n <= leaf) {
		sim_work(n == leaf ? leaf_ns : smaller_ns);
		return 1;
	}
	FILCH_SPAWN(x, fib, n - 1);
	uint64_t y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	leaf = (int)a->grain;
	leaf_ns = calls(leaf) * CALL_PS / 1000;
	smaller_ns = calls(leaf - 1) * CALL_PS / 1000;
	sim_begin(pool);
	FILCH_RUN_ON(pool, fib, (int)a->size);
}

const struct sim_program sim_fib = {
	.name = "fib",
	.what = "fib(SIZE) by recursion, as tasks",
	.size_is = "n",
	.grain_is = "the n of a leaf",
	.size = 36,
	.size_most = 60,
	.grain = 14,
	.grain_most = 40,
	.run = run,
};
