/* SPDX-License-Identifier: MIT */
/* In how many ways can n queens stand on a board of n x n? A task a partial board. */
#include "bench/app/app.h"

#define MOST 16

struct board {
	signed char column[MOST]; /* of the queen in each row */
};

/* True if the queen in `row` is safe from those above it. */
static inline int safe(const struct board *b, int row)
{
	int mine = b->column[row];

	for (int i = 0; i < row; i++) {
		int theirs = b->column[i], apart = row - i;

		if (theirs == mine || theirs == mine - apart || theirs == mine + apart)
			return 0;
	}
	return 1;
}

TASK(long, queens, (int, n), (int, row), (struct board, b))
{
	PARTS(part, queens, MOST);
	int parts = 0;

	if (row == n)
		return 1;
	for (int i = 0; i < n; i++) {
		b.column[row] = (signed char)i;
		if (!safe(&b, row))
			continue;
		SPAWN_PART(part, parts, queens, n, row + 1, b);
		parts++;
	}
	return SUM_PARTS(part, parts, queens);
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
	struct board b;

	memset(&b, 0, sizeof b);
	RUN(w->answer, host, queens, w->n, 0, b);
}

static uint64_t finish(void *work)
{
	uint64_t answer = (uint64_t)((struct work *)work)->answer;

	free(work);
	return answer;
}

APP(nqueens);
