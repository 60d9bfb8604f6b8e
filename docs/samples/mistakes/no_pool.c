/* SPDX-License-Identifier: MIT */
/* A mistake: a task is called like a function from outside a pool, where nobody can steal.
 * It is right, and slow: so only FILCH_DEBUG says something. */
#define FILCH_DEBUG 1
#include <filch.h>
#include <stdio.h>

FILCH_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

int main(void)
{
	printf("%ld\n", fib(20)); /* FILCH_RUN(fib, 20) */
}
