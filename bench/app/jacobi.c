/* SPDX-License-Identifier: MIT */
/* Mesh relaxation: every cell becomes the mean of its neighbours, as many times as the
 * size says. A step halves the rows; it ends before the next one begins. */
#include "bench/app/app.h"

#define SIDE 1024
#define STRIDE (SIDE + 2) /* the edge stays as it is */
#define CELLS ((size_t)STRIDE * STRIDE)
#define ROWS_LEAF 4

static void relax(const double *from, double *to, int row)
{
	const double *mid = from + (size_t)row * STRIDE;
	const double *up = mid - STRIDE, *down = mid + STRIDE;
	double *out = to + (size_t)row * STRIDE;

	for (int i = 1; i <= SIDE; i++)
		out[i] = 0.25 * (up[i] + down[i] + mid[i - 1] + mid[i + 1]);
}

TASK_VOID(step, (const double *, from), (double *, to), (int, first), (int, end))
{
	if (end - first <= ROWS_LEAF) {
		for (int row = first; row < end; row++)
			relax(from, to, row);
		return;
	}
	SPAWN_VOID(upper, step, from, to, first, first + (end - first) / 2);
	CALL(step, from, to, first + (end - first) / 2, end);
	JOIN_VOID(upper);
}

TASK_VOID(steps, (double *, a), (double *, b), (size_t, n))
{
	for (size_t i = 0; i < n; i++) {
		double *swap = a;

		CALL(step, a, b, 1, SIDE + 1);
		a = b;
		b = swap;
	}
}

struct work {
	double *mesh[2];
	size_t steps;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->steps = size;
	for (int k = 0; k < 2; k++) {
		w->mesh[k] = (double *)app_alloc(CELLS * sizeof(double));
		for (size_t i = 0; i < CELLS; i++)
			w->mesh[k][i] = app_fraction(i);
	}
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN_VOID(host, steps, w->mesh[0], w->mesh[1], w->steps);
}

static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	uint64_t answer = app_digest(w->mesh[w->steps % 2], CELLS);

	free(w->mesh[0]);
	free(w->mesh[1]);
	free(w);
	return answer;
}

APP(jacobi);
