/* SPDX-License-Identifier: MIT */
/* Looks for the first number whose Collatz sequence takes at least 400 steps; most of the
 * range is never looked at. */
#include <filch/find.h>
#include <stdio.h>
#include <string.h>

static unsigned steps_from(unsigned long long x)
{
	unsigned n = 0;

	for (; x != 1; n++)
		x = x % 2 ? 3 * x + 1 : x / 2;
	return n;
}

static int takes_long(size_t begin, size_t end, size_t *found, void *context)
{
	const unsigned *steps = context;

	for (size_t i = begin; i < end; i++)
		if (steps_from(i) >= *steps) {
			*found = i;
			break;
		}
	return 0;
}

int main(void)
{
	unsigned steps = 400;
	size_t end = 1000000000, first;
	int err = filch_find_first(1, end, &first, takes_long, &steps);

	if (err) {
		fprintf(stderr, "filch_find_first: %s\n", strerror(-err));
		return 1;
	}
	if (first < end)
		printf("%zu takes %u steps\n", first, steps_from(first));
}
