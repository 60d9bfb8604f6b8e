/* SPDX-License-Identifier: MIT */
/* Functions that algorithms are given a pointer to. */
#include "bench/algo/algo.h"
#include "bench/algo/body.h"

int algo_compare_i32(const void *a, const void *b, void *context)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	(void)context;
	return (x > y) - (x < y);
}

int algo_compare_f64(const void *a, const void *b, void *context)
{
	double x = *(const double *)a, y = *(const double *)b;

	(void)context;
	return (x > y) - (x < y);
}

int algo_compare_pair(const void *a, const void *b, void *context)
{
	const struct body_pair *x = a, *y = b;

	(void)context;
	return (x->key > y->key) - (x->key < y->key);
}

bool algo_odd(const void *element, void *context)
{
	(void)context;
	return *(const int32_t *)element & 1;
}
