/* SPDX-License-Identifier: MIT */
/* Heat diffusion over a mesh of 4096 x 1024, as many time steps as the size says. The
 * columns (the long dimension) are halved down to ten. */
#include "bench/app/app.h"

#define COLUMNS 4096
#define HEIGHT 1024
#define CELLS ((size_t)COLUMNS * HEIGHT)
#define COLUMNS_LEAF 10
#define FLOW 0.1

static void diffuse(const double *from, double *to, int column)
{
	const double *mid = from + (size_t)column * HEIGHT;
	const double *left = mid - HEIGHT, *right = mid + HEIGHT;
	double *out = to + (size_t)column * HEIGHT;

	for (int i = 1; i < HEIGHT - 1; i++)
		out[i] = mid[i] + FLOW * (right[i] - 2 * mid[i] + left[i]) +
		         FLOW * (mid[i + 1] - 2 * mid[i] + mid[i - 1]);
}

TASK_VOID(step, (const double *, from), (double *, to), (int, first), (int, end))
{
	if (end - first <= COLUMNS_LEAF) {
		for (int column = first; column < end; column++)
			diffuse(from, to, column);
		return;
	}
	SPAWN_VOID(left, step, from, to, first, first + (end - first) / 2);
	CALL(step, from, to, first + (end - first) / 2, end);
	JOIN_VOID(left);
}

TASK_VOID(steps, (double *, a), (double *, b), (size_t, n))
{
	for (size_t i = 0; i < n; i++) {
		double *swap = a;

		CALL(step, a, b, 1, COLUMNS - 1);
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

APP(heat);
