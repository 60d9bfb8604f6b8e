/* SPDX-License-Identifier: MIT */
/* A mistake: what was spawned is joined twice. */
#define FILCH_DEBUG 1
#include <filch.h>
#include <stdio.h>

FILCH_TASK(int, twice, (int, n))
{
	return 2 * n;
}

FILCH_TASK(int, four_times, (int, n))
{
	FILCH_SPAWN(x, twice, n);
	return FILCH_JOIN(x) + FILCH_JOIN(x);
}

int main(void)
{
	printf("%d\n", FILCH_RUN(four_times, 5));
}
