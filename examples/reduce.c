/* SPDX-License-Identifier: MIT */
/* Mean and variance of many numbers in one pass. Parts are combined in the same order on
 * any number of workers, so every digit is the same. */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000000

struct moments {
	double n, mean, squares; /* squares: of the distances from the mean */
};

/* Chan, Golub and LeVeque (1979). */
static void add_moments(void *left, const void *right, void *context)
{
	struct moments *l = left;
	const struct moments *r = right;
	double n = l->n + r->n, apart = r->mean - l->mean;

	(void)context;
	if (n == 0)
		return;
	l->squares += r->squares + apart * apart * l->n * r->n / n;
	l->mean += apart * r->n / n;
	l->n = n;
}

static int add_values(size_t begin, size_t end, void *result, void *context)
{
	const double *value = context;

	for (size_t i = begin; i < end; i++) {
		struct moments one = {1, value[i], 0};

		add_moments(result, &one, NULL);
	}
	return 0;
}

int main(void)
{
	struct moments all = {0, 0, 0}; /* the identity */
	double *value = malloc(N * sizeof *value);
	int err;

	if (!value) {
		fprintf(stderr, "no memory for the values\n");
		return 1;
	}
	for (size_t i = 0; i < N; i++)
		value[i] = (double)(i % 1000);
	err = filch_reduce(0, N, &all, sizeof all, add_values, add_moments, value);
	if (err) {
		fprintf(stderr, "filch_reduce: %s\n", strerror(-err));
		free(value);
		return 1;
	}
	printf("%.0f values, mean %.3f, variance %.3f\n", all.n, all.mean,
	       all.squares / all.n);
	free(value);
}
