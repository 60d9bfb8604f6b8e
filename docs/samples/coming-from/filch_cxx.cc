// SPDX-License-Identifier: MIT
// The program of docs/coming-from.md in Filch, from C++.
#include <cstdio>
#include <filch.hpp>
#include <functional>

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
	filch::both([&] { left = sum(n->left); }, [&] { right = sum(n->right); });
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
	std::printf("tree: %ld\n", filch::run([] { return sum(build(depth)); }));

	long total = filch::reduce(1L, most + 1, 0L, steps, std::plus<long>());
	std::printf("steps: %ld\n", total);
}
