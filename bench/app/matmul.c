/* SPDX-License-Identifier: MIT */
/* c += a * b for square matrices whose side is the size: halves the largest dimension
 * until a block of 32 is left. Halves of the sum follow each other, the others do not. */
#include "bench/app/app.h"

#define LEAF 32

struct matrices {
	const double *a, *b;
	double *c;
	size_t side;
};

/* Rows, columns and the range of the sum, each from a first index and so many. */
struct region {
	int row, column, sum;
	int rows, columns, sums;
};

static void multiply_leaf(struct matrices m, struct region r)
{
	for (int i = r.row; i < r.row + r.rows; i++) {
		double *c = m.c + (size_t)i * m.side + r.column;

		for (int k = r.sum; k < r.sum + r.sums; k++) {
			const double *b = m.b + (size_t)k * m.side + r.column;
			double a = m.a[(size_t)i * m.side + (size_t)k];

			for (int j = 0; j < r.columns; j++)
				c[j] += a * b[j];
		}
	}
}

TASK_VOID(multiply, (struct matrices, m), (struct region, r))
{
	struct region first = r, second = r;

	if (r.rows <= LEAF && r.columns <= LEAF && r.sums <= LEAF) {
		multiply_leaf(m, r);
		return;
	}
	if (r.sums > r.rows && r.sums > r.columns) {
		first.sums = r.sums / 2;
		second.sum = r.sum + first.sums;
		second.sums = r.sums - first.sums;
		CALL(multiply, m, first);
		CALL(multiply, m, second);
		return;
	}
	if (r.rows >= r.columns) {
		first.rows = r.rows / 2;
		second.row = r.row + first.rows;
		second.rows = r.rows - first.rows;
	} else {
		first.columns = r.columns / 2;
		second.column = r.column + first.columns;
		second.columns = r.columns - first.columns;
	}
	SPAWN_VOID(part, multiply, m, first);
	CALL(multiply, m, second);
	JOIN_VOID(part);
}

struct work {
	double *a, *b, *c;
	size_t side;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);
	size_t cells = size * size, bytes = cells * sizeof(double);

	w->side = size;
	w->a = (double *)app_alloc(bytes);
	w->b = (double *)app_alloc(bytes);
	w->c = (double *)app_alloc(bytes);
	for (size_t i = 0; i < cells; i++) {
		w->a[i] = app_fraction(i);
		w->b[i] = app_fraction(~i);
		w->c[i] = 0;
	}
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;
	struct matrices m = {w->a, w->b, w->c, w->side};
	int n = (int)w->side;
	struct region all = {0, 0, 0, n, n, n};

	RUN_VOID(host, multiply, m, all);
}

static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	uint64_t answer = app_digest(w->c, w->side * w->side);

	free(w->a);
	free(w->b);
	free(w->c);
	free(w);
	return answer;
}

APP(matmul);
