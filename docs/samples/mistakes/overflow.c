/* SPDX-License-Identifier: MIT */
/* A mistake: more on the stack than a strand has. */
#include <filch.h>
#include <stdio.h>

FILCH_TASK(int, deep, (int, n))
{
	volatile char much[1024];

	much[0] = (char)n;
	much[sizeof much - 1] = 1;
	if (n == 0)
		return 0;
	return FILCH_CALL(deep, n - 1) + much[sizeof much - 1];
}

int main(void)
{
	printf("%d\n", FILCH_RUN(deep, 100000000));
}
