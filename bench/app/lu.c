/* SPDX-License-Identifier: MIT */
/*
 * LU decomposition without pivoting, in place, of a matrix whose side is the size, by
 * quarters: A = LU of the upper left; solve for the two beside it; subtract their product
 * from the lower right; go on there. Blocks of 16 x 16 lie together in memory.
 */
#include "bench/app/app.h"

#define SIDE 16

struct block {
	double v[SIDE][SIDE];
};

/* A square of n x n blocks within a matrix of `stride` blocks a row. */
#define AT(m, stride, row, column) ((m) + (size_t)(row) * (size_t)(stride) + (column))

static void block_lu(struct block *b)
{
	for (int k = 0; k < SIDE; k++)
		for (int i = k + 1; i < SIDE; i++) {
			b->v[i][k] /= b->v[k][k];
			for (int j = k + 1; j < SIDE; j++)
				b->v[i][j] -= b->v[i][k] * b->v[k][j];
		}
}

/* b = L^-1 b, where L is the lower part of lu with ones on its diagonal. */
static void block_lower(struct block *b, const struct block *lu)
{
	for (int i = 1; i < SIDE; i++)
		for (int k = 0; k < i; k++)
			for (int j = 0; j < SIDE; j++)
				b->v[i][j] -= lu->v[i][k] * b->v[k][j];
}

/* b = b U^-1, where U is the upper part of lu. */
static void block_upper(struct block *b, const struct block *lu)
{
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++) {
			b->v[i][k] /= lu->v[k][k];
			for (int j = k + 1; j < SIDE; j++)
				b->v[i][j] -= b->v[i][k] * lu->v[k][j];
		}
}

static void block_subtract(struct block *c, const struct block *a, const struct block *b)
{
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++)
			for (int j = 0; j < SIDE; j++)
				c->v[i][j] -= a->v[i][k] * b->v[k][j];
}

/* c -= a b */
TASK_VOID(subtract, (struct block *, c), (const struct block *, a),
          (const struct block *, b), (int, n), (int, stride))
{
	if (n == 1) {
		block_subtract(c, a, b);
		return;
	}
	int h = n / 2;

	for (int k = 0; k < n; k += h) {
		const struct block *left = AT(a, stride, 0, k),
				   *top = AT(b, stride, k, 0);

		SPAWN_VOID(c00, subtract, c, left, top, h, stride);
		SPAWN_VOID(c01, subtract, AT(c, stride, 0, h), left, top + h, h, stride);
		SPAWN_VOID(c10, subtract, AT(c, stride, h, 0), AT(left, stride, h, 0),
		           top, h, stride);
		CALL(subtract, AT(c, stride, h, h), AT(left, stride, h, 0), top + h, h,
		     stride);
		JOIN_VOID(c10);
		JOIN_VOID(c01);
		JOIN_VOID(c00);
	}
}

TASK_VOID_DECL(lower, (struct block *, b), (const struct block *, lu), (int, n),
               (int, stride));
TASK_VOID_DECL(upper, (struct block *, b), (const struct block *, lu), (int, n),
               (int, stride));

/* Half the columns of a lower solve: the upper rows, what they take from the others, then
 * those. */
TASK_VOID(lower_half, (struct block *, b), (const struct block *, lu), (int, h),
          (int, stride))
{
	CALL(lower, b, lu, h, stride);
	CALL(subtract, AT(b, stride, h, 0), AT(lu, stride, h, 0), b, h, stride);
	CALL(lower, AT(b, stride, h, 0), AT(lu, stride, h, h), h, stride);
}

TASK_VOID(lower, (struct block *, b), (const struct block *, lu), (int, n), (int, stride))
{
	if (n == 1) {
		block_lower(b, lu);
		return;
	}
	SPAWN_VOID(left, lower_half, b, lu, n / 2, stride);
	CALL(lower_half, b + n / 2, lu, n / 2, stride);
	JOIN_VOID(left);
}

/* Half the rows of an upper solve. */
TASK_VOID(upper_half, (struct block *, b), (const struct block *, lu), (int, h),
          (int, stride))
{
	CALL(upper, b, lu, h, stride);
	CALL(subtract, b + h, b, lu + h, h, stride);
	CALL(upper, b + h, AT(lu, stride, h, h), h, stride);
}

TASK_VOID(upper, (struct block *, b), (const struct block *, lu), (int, n), (int, stride))
{
	if (n == 1) {
		block_upper(b, lu);
		return;
	}
	SPAWN_VOID(top, upper_half, b, lu, n / 2, stride);
	CALL(upper_half, AT(b, stride, n / 2, 0), lu, n / 2, stride);
	JOIN_VOID(top);
}

TASK_VOID(decompose, (struct block *, m), (int, n), (int, stride))
{
	if (n == 1) {
		block_lu(m);
		return;
	}
	int h = n / 2;

	CALL(decompose, m, h, stride);
	SPAWN_VOID(right, lower, m + h, m, h, stride);
	CALL(upper, AT(m, stride, h, 0), m, h, stride);
	JOIN_VOID(right);
	CALL(subtract, AT(m, stride, h, h), AT(m, stride, h, 0), m + h, h, stride);
	CALL(decompose, AT(m, stride, h, h), h, stride);
}

struct work {
	struct block *m;
	int n; /* blocks a side, a power of two */
};

/* Dominant on its diagonal, so that no pivoting is needed. */
static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);
	size_t n = size / SIDE;

	w->n = (int)n;
	w->m = (struct block *)app_alloc(n * n * sizeof *w->m);
	for (size_t i = 0; i < n * n; i++)
		for (size_t k = 0; k < SIDE * SIDE; k++)
			w->m[i].v[k / SIDE][k % SIDE] =
				app_fraction(i * SIDE * SIDE + k) +
				(i / n == i % n && k / SIDE == k % SIDE ? (double)size
			                                                : 0);
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN_VOID(host, decompose, w->m, w->n, w->n);
}

static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	size_t blocks = (size_t)w->n * (size_t)w->n;
	uint64_t answer = app_digest(&w->m->v[0][0], blocks * SIDE * SIDE);

	free(w->m);
	free(w);
	return answer;
}

APP(lu);
