/* SPDX-License-Identifier: MIT */
/* A mistake: room for tasks that is not on the stack. */
#define FILCH_DEBUG 1
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>

FILCH_TASK(int, twice, (int, n))
{
	return 2 * n;
}

FILCH_TASK(int, sum_of_doubles, (int, n))
{
	FILCH_FRAME(twice) *part = malloc((size_t)n * sizeof *part);
	int sum = 0;

	if (!part)
		return -1;
	for (int i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], twice, i);
	for (int i = n; i-- > 0;)
		sum += FILCH_JOIN_AT(&part[i], twice);
	free(part);
	return sum;
}

int main(void)
{
	printf("%d\n", FILCH_RUN(sum_of_doubles, 100));
}
