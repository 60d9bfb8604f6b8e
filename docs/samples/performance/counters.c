/* SPDX-License-Identifier: MIT */
/* What a pool has done, by its counters: on stderr, since it is never the same twice. */
#include <filch.h>
#include <inttypes.h>
#include <stdio.h>

FILCH_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* Of one worker, or of all (-1). */
static void print_counters(const struct filch_pool *pool, int worker)
{
	struct filch_stats s;

	if (filch_pool_stats(pool, worker, &s))
		return;
#define PRINT(name, text) fprintf(stderr, "%12" PRIu64 "  %s\n", s.name, text);
	FILCH_COUNTERS(PRINT)
#undef PRINT
}

int main(void)
{
	printf("fib(35) = %ld\n", FILCH_RUN(fib, 35));
	print_counters(filch_pool_default(NULL), -1);
}
