/* SPDX-License-Identifier: MIT */
/*
 * fib(n) by recursion. Below LEAF a call is one leaf that takes as long as all calls that
 * it would make; a thief could steal nothing smaller.
 */
#include "sim/program/program.h"

#define LEAF 14
#define CALL_PS 2200 /* a call of fib with its spawn and join, gcc -O2 */

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

static uint64_t leaf_ns;

FILCH_STATIC_TASK(uint64_t, fib, (int, n))
{
	if (n <= LEAF) {
		sim_work(n == LEAF ? leaf_ns : leaf_ns * 618 / 1000);
		return 1;
	}
	FILCH_SPAWN(x, fib, n - 1);
	uint64_t y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void run(struct filch_pool *pool, uint64_t size)
{
	leaf_ns = calls(LEAF) * CALL_PS / 1000;
	sim_mark();
	FILCH_RUN_ON(pool, fib, (int)size);
}

const struct sim_program sim_fib = {
	"fib", "fib(SIZE) by recursion, with leaves of fib(14)", "n", 36, run};
