/* SPDX-License-Identifier: MIT */
/* The program of docs/coming-from.md in Cilk. Compilers without Cilk can run it as its serial
 * elision, which a Cilk program has by definition (-DSERIAL). */
#include <stdio.h>

#ifdef SERIAL
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#define cilk_reducer(zero, plus)
#else
#include <cilk/cilk.h>
#endif

#define DEPTH 16
#define MOST 100000

struct node {
	long value;
	struct node *left, *right;
};

static struct node *build(int depth)
{
	static struct node nodes[1 << DEPTH];
	static int used;
	struct node *n = &nodes[used++];

	n->value = used;
	if (depth > 1) {
		n->left = build(depth - 1);
		n->right = build(depth - 1);
	}
	return n;
}

static long sum(const struct node *n)
{
	long left, right;

	if (!n)
		return 0;
	left = cilk_spawn sum(n->left);
	right = sum(n->right);
	cilk_sync;
	return n->value + left + right;
}

static long steps(long n)
{
	long s = 0;

	for (; n != 1; s++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return s;
}

void zero(void *view)
{
	*(long *)view = 0;
}

void plus(void *left, void *right)
{
	*(long *)left += *(long *)right;
}

int main(void)
{
	long cilk_reducer(zero, plus) total = 0;

	printf("tree: %ld\n", sum(build(DEPTH)));
	cilk_for(long n = 1; n <= MOST; n++) total += steps(n);
	printf("steps: %ld\n", total);
}
