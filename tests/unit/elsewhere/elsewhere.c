/* SPDX-License-Identifier: MIT */
#include "unit/elsewhere/elsewhere.h"

int elsewhere_noted;

FILCH_TASK(long, elsewhere_sum, (int, n), (double, factor))
{
	if (n <= 1)
		return (long)(factor * n);
	FILCH_SPAWN(x, elsewhere_sum, n / 2, factor);
	long above = 0;

	for (int i = n / 2 + 1; i <= n; i++)
		above += i;
	return (long)(factor * (double)above) + FILCH_JOIN(x);
}

FILCH_TASK_VOID(elsewhere_note, (int, n))
{
	elsewhere_noted = n;
}
