/* SPDX-License-Identifier: MIT */
/* The program of docs/coming-from.md in OpenMP. */
#include <stdio.h>

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

static long sum(const struct node *n, int depth)
{
	long left, right;

	if (!n)
		return 0;
#pragma omp task shared(left) final(depth > 8) mergeable
	left = sum(n->left, depth + 1);
	right = sum(n->right, depth + 1);
#pragma omp taskwait
	return n->value + left + right;
}

static long steps(long n)
{
	long s = 0;

	for (; n != 1; s++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return s;
}

int main(void)
{
	long result = 0, total = 0;

#pragma omp parallel
#pragma omp single
	result = sum(build(DEPTH), 0);
	printf("tree: %ld\n", result);

#pragma omp parallel for schedule(dynamic, 100) reduction(+ : total)
	for (long n = 1; n <= MOST; n++)
		total += steps(n);
	printf("steps: %ld\n", total);
}
