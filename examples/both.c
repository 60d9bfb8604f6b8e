/* SPDX-License-Identifier: MIT */
/* Divide and conquer: the contiguous days with the largest gain. Each half is a call, and
 * both may run at once. */
#include <filch.h>
#include <stdio.h>

#define DAYS 100000

static int change[DAYS];

struct span {
	int begin, end;
	long sum, best, prefix,
		suffix; /* of all; of any part; from the left; to the right */
};

static long larger(long a, long b)
{
	return a > b ? a : b;
}

static void solve(void *context)
{
	struct span *s = context, left = *s, right = *s;

	if (s->end - s->begin == 1) {
		s->sum = s->best = s->prefix = s->suffix = change[s->begin];
		return;
	}
	left.end = right.begin = s->begin + (s->end - s->begin) / 2;
	filch_both(solve, &left, solve, &right);
	s->sum = left.sum + right.sum;
	s->prefix = larger(left.prefix, left.sum + right.prefix);
	s->suffix = larger(right.suffix, right.sum + left.suffix);
	s->best = larger(larger(left.best, right.best), left.suffix + right.prefix);
}

int main(void)
{
	struct span all = {.begin = 0, .end = DAYS};

	for (int i = 0; i < DAYS; i++)
		change[i] = (int)((unsigned)i * 2654435761u >> 16) % 201 - 100;
	solve(&all);
	printf("sold at the end: %ld, at the best time: %ld\n", all.sum, all.best);
}
