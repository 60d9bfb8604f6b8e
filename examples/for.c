/* SPDX-License-Identifier: MIT */
/* A loop over an array, on all cores; and one that ends when it has seen enough. */
#include <filch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000000

static int to_decibels(size_t begin, size_t end, void *context)
{
	double *level = context;

	for (size_t i = begin; i < end; i++)
		level[i] = 20 * log10(level[i]);
	return 0;
}

/* Not zero ends the loop, and is what filch_for() returns. */
static int no_clipping(size_t begin, size_t end, void *context)
{
	const double *level = context;

	for (size_t i = begin; i < end; i++)
		if (level[i] > 0)
			return 1;
	return 0;
}

int main(void)
{
	double *level = malloc(N * sizeof *level);
	int err;

	if (!level) {
		fprintf(stderr, "no memory for the levels\n");
		return 1;
	}
	for (size_t i = 0; i < N; i++)
		level[i] = (double)(i % 1000 + 1) / 1000;
	err = filch_for(0, N, to_decibels, level);
	if (err) {
		fprintf(stderr, "filch_for: %s\n", strerror(-err));
		free(level);
		return 1;
	}
	printf("first %.1f dB, last %.1f dB, %s\n", level[0], level[N - 1],
	       filch_for(0, N, no_clipping, level) ? "clipped" : "not clipped");
	free(level);
}
