/* SPDX-License-Identifier: MIT */
/* The Mandelbrot set: tiles of a plane, some of which take a hundred times as long as
 * others. */
#include <filch.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 64, MOST = 20000 };

static char picture[ROWS][COLUMNS + 1];

static int iterations(double re, double im)
{
	double x = 0, y = 0;
	int n = 0;

	while (n < MOST && x * x + y * y < 4) {
		double next = x * x - y * y + re;

		y = 2 * x * y + im;
		x = next;
		n++;
	}
	return n;
}

static int draw(const struct filch_tile *t, void *context)
{
	(void)context;
	for (size_t row = t->row; row < t->row_end; row++)
		for (size_t column = t->column; column < t->column_end; column++) {
			int n = iterations(-2.2 + 3.2 * (double)column / COLUMNS,
			                   -1.2 + 2.4 * (double)row / ROWS);

			picture[row][column] = n == MOST ? '#' : n > 8 ? '+' : '.';
		}
	return 0;
}

int main(void)
{
	int err = filch_for_2d(ROWS, COLUMNS, draw, NULL);

	if (err) {
		fprintf(stderr, "filch_for_2d: %s\n", strerror(-err));
		return 1;
	}
	for (int row = 0; row < ROWS; row++)
		puts(picture[row]);
}
