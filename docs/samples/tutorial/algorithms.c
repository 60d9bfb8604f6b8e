/* SPDX-License-Identifier: MIT */
/* Algorithms: a loop, a reduction and a sort on all cores, and not one task. */
#include <filch.h>
#include <filch/numbers.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000000

/* A piece of the loop: how many steps each number takes to 1. */
static int count_steps(size_t begin, size_t end, void *context)
{
	int32_t *steps = context;

	for (size_t i = begin; i < end; i++) {
		steps[i] = 0;
		for (unsigned long n = i + 1; n != 1; steps[i]++)
			n = n % 2 ? 3 * n + 1 : n / 2;
	}
	return 0; /* anything else would end the loop */
}

static int add(size_t begin, size_t end, void *result, void *context)
{
	const int32_t *steps = context;
	long *sum = result;

	for (size_t i = begin; i < end; i++)
		*sum += steps[i];
	return 0;
}

static void plus(void *left, const void *right, void *context)
{
	(void)context;
	*(long *)left += *(const long *)right;
}

int main(void)
{
	int32_t *steps = malloc(N * sizeof *steps);
	long sum = 0; /* the identity, until filch_reduce() has returned */

	if (!steps)
		return 1;
	filch_for(0, N, count_steps, steps);
	filch_reduce(0, N, &sum, sizeof sum, add, plus, steps);
	filch_sort_i32(steps, N);
	printf("%ld steps in all, median %d, most %d\n", sum, (int)steps[N / 2],
	       (int)steps[N - 1]);
	free(steps);
}
