/* SPDX-License-Identifier: MIT */
/* A mistake: a way out between spawn and join. The task would be looked for in a frame that
 * is gone. */
#define FILCH_DEBUG 1
#include <filch.h>
#include <stdio.h>

FILCH_TASK(int, half, (int, n))
{
	return n / 2;
}

FILCH_TASK(int, quarter, (int, n))
{
	FILCH_SPAWN(x, half, n);
	if (n % 4)
		return -1; /* x is not joined */
	return FILCH_JOIN(x) / 2;
}

int main(void)
{
	printf("%d\n", FILCH_RUN(quarter, 42));
}
