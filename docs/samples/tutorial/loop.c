/* SPDX-License-Identifier: MIT */
/* Spawns in a loop: ways to put n queens on a board, a task for each first move of a row. */
#include <filch.h>
#include <stdio.h>

#define MOST 16

struct board {
	int row;
	int column[MOST]; /* of the queen in each row above */
};

static int is_free(const struct board *b, int column)
{
	for (int row = 0; row < b->row; row++) {
		int apart = b->row - row, shift = b->column[row] - column;

		if (shift == 0 || shift == apart || shift == -apart)
			return 0;
	}
	return 1;
}

FILCH_TASK(long, queens, (int, n), (struct board, b))
{
	FILCH_FRAME(queens) part[MOST]; /* room for as many as there may be */
	int spawned = 0;
	long ways = 0;

	if (b.row == n)
		return 1;
	for (int column = 0; column < n; column++) {
		if (is_free(&b, column)) {
			struct board next = b;

			next.column[next.row++] = column;
			FILCH_SPAWN_AT(&part[spawned], queens, n, next);
			spawned++;
		}
	}
	while (spawned > 0)
		ways += FILCH_JOIN_AT(&part[--spawned], queens);
	return ways;
}

int main(void)
{
	struct board empty = {0};

	for (int n = 4; n <= 10; n += 2)
		printf("%d queens: %ld ways\n", n, FILCH_RUN(queens, n, empty));
}
