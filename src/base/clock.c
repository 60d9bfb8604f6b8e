/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

double filch__ticks_per_ns(void)
{
	const uint64_t span = 10 * 1000 * 1000;
	uint64_t t0 = filch__now_ns(), c0 = filch__ticks(), t1;

	do
		t1 = filch__now_ns();
	while (t1 - t0 < span);
	return (double)(filch__ticks() - c0) / (double)(t1 - t0);
}
