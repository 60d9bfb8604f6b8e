// SPDX-License-Identifier: MIT
// The program of docs/coming-from.md in oneTBB.
#include <cstdio>
#include <functional>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>

constexpr int depth = 16;
constexpr long most = 100000;

struct node {
	long value;
	node *left, *right;
};

static node *build(int levels)
{
	static node nodes[1 << depth];
	static int used;
	node *n = &nodes[used++];

	n->value = used;
	if (levels > 1) {
		n->left = build(levels - 1);
		n->right = build(levels - 1);
	}
	return n;
}

static long sum(const node *n)
{
	long left, right;

	if (!n)
		return 0;
	tbb::parallel_invoke([&] { left = sum(n->left); },
	                     [&] { right = sum(n->right); });
	return n->value + left + right;
}

static long steps(long n)
{
	long s = 0;

	for (; n != 1; s++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return s;
}

int main()
{
	std::printf("tree: %ld\n", sum(build(depth)));

	long total = tbb::parallel_reduce(
		tbb::blocked_range<long>(1, most + 1), 0L,
		[](const tbb::blocked_range<long> &r, long part) {
			for (long n = r.begin(); n < r.end(); n++)
				part += steps(n);
			return part;
		},
		std::plus<long>());
	std::printf("steps: %ld\n", total);
}
