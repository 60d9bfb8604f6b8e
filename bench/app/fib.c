/* SPDX-License-Identifier: MIT */
/* Fibonacci numbers by definition: nothing but calls. */
#include "bench/app/app.h"

TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	SPAWN(x, fib, n - 1);
	long y = CALL(fib, n - 2);
	return JOIN(x) + y;
}

struct work {
	int n;
	long answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->n = (int)size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, fib, w->n);
}

static uint64_t finish(void *work)
{
	uint64_t answer = (uint64_t)((struct work *)work)->answer;

	free(work);
	return answer;
}

APP(fib);
