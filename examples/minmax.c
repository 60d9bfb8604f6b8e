/* SPDX-License-Identifier: MIT */
/* The least and the greatest: of numbers, and of anything that can be compared. */
#include <filch/find.h>
#include <filch/numbers.h>
#include <stdio.h>
#include <stdlib.h>

struct place {
	double latitude, longitude;
};

static int by_latitude(const void *a, const void *b, void *context)
{
	const struct place *p = a, *q = b;

	(void)context;
	return p->latitude < q->latitude ? -1 : p->latitude > q->latitude;
}

int main(void)
{
	const size_t n = 1000000;
	double *noise = malloc(n * sizeof *noise);
	struct place *place = malloc(n * sizeof *place);
	unsigned x = 1;

	if (!noise || !place) {
		fprintf(stderr, "no memory for the numbers\n");
		free(noise);
		free(place);
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = x / 4294967296.0;
		place[i] = (struct place){180 * noise[i] - 90, 0};
	}
	printf("quietest at %zu, loudest at %zu\n", filch_min_f64(noise, n),
	       filch_max_f64(noise, n));
	printf("southernmost at %zu, northernmost at %zu\n",
	       filch_min(place, n, sizeof *place, by_latitude, NULL),
	       filch_max(place, n, sizeof *place, by_latitude, NULL));
	free(noise);
	free(place);
}
