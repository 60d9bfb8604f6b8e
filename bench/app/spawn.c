/* SPDX-License-Identifier: MIT */
/* Spawns and joins as many empty tasks as the size says, one after the other. */
#include "bench/app/app.h"

/* Empty, but nothing that the compiler may leave out. */
TASK_VOID(nothing, (long, i))
{
	__asm__ volatile("" : : "r"(i));
}

TASK(long, loop, (long, n))
{
	long i;

	for (i = 0; i < n; i++) {
		SPAWN_VOID(x, nothing, i);
		JOIN_VOID(x);
	}
	return i;
}

struct work {
	long n, answer;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->n = (long)size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->answer, host, loop, w->n);
}

static uint64_t finish(void *work)
{
	uint64_t answer = (uint64_t)((struct work *)work)->answer;

	free(work);
	return answer;
}

APP(spawn);
