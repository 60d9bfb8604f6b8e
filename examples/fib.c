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
	printf("fib(35) = %ld\n", FILCH_RUN(fib, 35));
}
