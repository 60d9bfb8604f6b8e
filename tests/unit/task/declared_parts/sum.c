/* SPDX-License-Identifier: MIT */
#include "tests/unit/task/declared_parts/sum.h"

int other_noted;

FILCH_TASK(long, other_sum, (int, n), (double, factor))
{
	if (n <= 1)
		return (long)(factor * n);
	FILCH_SPAWN(x, other_sum, n / 2, factor);
	long above = 0;

	for (int i = n / 2 + 1; i <= n; i++)
		above += i;
	return (long)(factor * (double)above) + FILCH_JOIN(x);
}

FILCH_TASK_VOID(other_note, (int, n))
{
	other_noted = n;
}
