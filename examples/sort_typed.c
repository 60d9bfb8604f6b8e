/* SPDX-License-Identifier: MIT */
/* Sorting numbers, and structures by an order that the compiler sees. */
#include <filch/numbers.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
	float x, y;
};

#define FILCH_SORT_NAME sort_points
#define FILCH_SORT_TYPE struct point
#define FILCH_SORT_LESS(a, b) \
	((a)->x * (a)->x + (a)->y * (a)->y < (b)->x * (b)->x + (b)->y * (b)->y)
#include <filch/sort_template.h>

/* Not the numbers are sorted here, but their indices. */
#define FILCH_SORT_STABLE_NAME stable_sort_indices
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_CONTEXT const double *
#define FILCH_SORT_LESS(a, b, sample) (sample[*(a)] < sample[*(b)])
#include <filch/sort_template.h>

enum { N = 200000 };

static double sample[N];
static uint32_t by_size[N];
static struct point points[N];

int main(void)
{
	for (uint32_t i = 0; i < N; i++) {
		sample[i] = i * 2654435761u % 1000003;
		by_size[i] = i;
		points[i].x = (float)(i % 1000) - 500;
		points[i].y = (float)(i / 1000) - 100;
	}
	stable_sort_indices(by_size, N, sample);
	printf("the least sample is number %u, the greatest number %u\n", by_size[0],
	       by_size[N - 1]);
	filch_sort_f64(sample, N);
	printf("the median is %.1f\n", (sample[N / 2 - 1] + sample[N / 2]) / 2);
	sort_points(points, N);
	printf("nearest %g,%g\n", points[0].x, points[0].y);
}
