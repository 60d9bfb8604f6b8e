/* SPDX-License-Identifier: MIT */
/* The first task: a recursion, half of which may run elsewhere. */
#include <filch.h>
#include <stdio.h>

FILCH_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1); /* may run elsewhere from here on */
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

int main(void)
{
	printf("fib(30) = %ld\n", FILCH_RUN(fib, 30));
}
