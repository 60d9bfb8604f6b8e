/* SPDX-License-Identifier: MIT */
/* The program of docs/coming-from.md in Filch: a tree is added up by tasks, then a loop with
 * a reduction, whose iterations take very different times. */
#include <filch.h>
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

FILCH_TASK(long, sum, (const struct node *, n))
{
	if (!n)
		return 0;
	FILCH_SPAWN(left, sum, n->left);
	long right = FILCH_CALL(sum, n->right);
	return n->value + FILCH_JOIN(left) + right;
}

static long steps(long n)
{
	long s = 0;

	for (; n != 1; s++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return s;
}

static int add_steps(size_t begin, size_t end, void *result, void *context)
{
	long *total = result;

	(void)context;
	for (size_t n = begin; n < end; n++)
		*total += steps((long)n);
	return 0;
}

static void plus(void *left, const void *right, void *context)
{
	(void)context;
	*(long *)left += *(const long *)right;
}

int main(void)
{
	long total = 0;

	printf("tree: %ld\n", FILCH_RUN(sum, build(DEPTH)));
	filch_reduce(1, MOST + 1, &total, sizeof total, add_steps, plus, NULL);
	printf("steps: %ld\n", total);
}
