/* SPDX-License-Identifier: MIT */
/* The algorithms in plain C: the loop that one would write. Lengths are in locals, since for
 * all that the compiler knows a store could change w->n. */
#include <stdlib.h>
#include <string.h>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

static void run_for(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	double *y = out;

	for (size_t i = 0; i < n; i++)
		y[i] = body_for(x[i]);
}

static void run_for_2d(const struct algo_work *w, void *out)
{
	size_t side = body_side(w->n);
	const double *x = w->in;
	double *y = out;

	for (size_t r = 0; r < side; r++)
		for (size_t c = 0; c < side; c++)
			y[r * side + c] = body_2d(x[r * side + c], r, c);
}

static void run_stencil(const struct algo_work *w, void *out)
{
	size_t n = w->n, side = body_side(n);

	for (size_t s = 0; s < w->sweeps; s++)
		for (size_t row = 0; row < side; row++)
			body_row(body_from(w->in, out, n, s), body_to(out, n, s), side,
			         row);
}

static void run_steps(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const uint32_t *steps = w->in;
	uint64_t *y = out;

	for (size_t i = 0; i < n; i++)
		y[i] = body_steps(i, steps[i]);
}

static void run_reduce(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	*(double *)out = sum;
}

static void run_scan(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const int64_t *x = w->in;
	int64_t *y = out, sum = 0;

	for (size_t i = 0; i < n; i++)
		y[i] = sum += x[i];
}

static void run_scan_exclusive(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const int64_t *x = w->in;
	int64_t *y = out, sum = 0;

	for (size_t i = 0; i < n; i++) {
		y[i] = sum;
		sum += x[i];
	}
}

static void run_sort_i32(const struct algo_work *w, void *out)
{
	qsort_r(out, w->n, sizeof(int32_t), algo_compare_i32, NULL);
}

static void run_sort_f64(const struct algo_work *w, void *out)
{
	qsort_r(out, w->n, sizeof(double), algo_compare_f64, NULL);
}

/* glibc's is a merge sort, and stable, while there is memory for it; checked, as all. */
static void run_stable(const struct algo_work *w, void *out)
{
	qsort_r(out, w->n, sizeof(struct body_pair), algo_compare_pair, NULL);
}

static void run_partition(const struct algo_work *w, void *out)
{
	int32_t *x = out;
	size_t left = 0, right = w->n;

	for (;;) {
		int32_t swap;

		while (left < right && algo_odd(&x[left], NULL))
			left++;
		while (left < right && !algo_odd(&x[right - 1], NULL))
			right--;
		if (left == right)
			break;
		swap = x[left];
		x[left++] = x[--right];
		x[right] = swap;
	}
	memcpy(x + w->n, &(uint64_t){left}, sizeof(uint64_t));
}

static void run_filter(const struct algo_work *w, void *out)
{
	uint64_t kept = body_filter(w->in, 0, w->n, out);

	memcpy((int32_t *)out + w->n, &kept, sizeof kept);
}

static void run_min(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	size_t least = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] < x[least])
			least = i;
	*(uint64_t *)out = least;
}

static void run_max(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	size_t most = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] > x[most])
			most = i;
	*(uint64_t *)out = most;
}

static void run_min_generic(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	size_t least = 0;

	for (size_t i = 1; i < n; i++)
		if (algo_compare_f64(&x[i], &x[least], NULL) < 0)
			least = i;
	*(uint64_t *)out = least;
}

static void run_max_generic(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const double *x = w->in;
	size_t most = 0;

	for (size_t i = 1; i < n; i++)
		if (algo_compare_f64(&x[i], &x[most], NULL) > 0)
			most = i;
	*(uint64_t *)out = most;
}

static void run_find_first(const struct algo_work *w, void *out)
{
	*(uint64_t *)out = body_find(w->in, 0, w->n);
}

static void run_histogram(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	const unsigned char *x = w->in;
	uint64_t *count = memset(out, 0, w->out_bytes);

	for (size_t i = 0; i < n; i++)
		count[x[i]]++;
}

static void run_pipeline(const struct algo_work *w, void *out)
{
	size_t n = w->n;
	uint64_t *item = out, sum = 0;

	for (size_t i = 0; i < n; i++) {
		item[i] = body_steps(i, BODY_ITEM_STEPS);
		sum = body_steps(sum ^ item[i], BODY_SERIAL_STEPS);
	}
	item[n] = sum;
}

static void run_copy(const struct algo_work *w, void *out)
{
	memcpy(out, w->in, w->out_bytes);
}

static void run_fill(const struct algo_work *w, void *out)
{
	memset(out, 7, w->out_bytes);
}

const struct algo_impl algo_serial[] = {
	{"for", "serial", run_for},
	{"for_2d", "serial", run_for_2d},
	{"stencil", "serial", run_stencil},
	{"skewed", "serial", run_steps},
	{"uniform", "serial", run_steps},
	{"reduce", "serial", run_reduce},
	{"scan", "serial", run_scan},
	{"scan_exclusive", "serial", run_scan_exclusive},
	{"sort", "serial", run_sort_i32},
	{"sort_f64", "serial", run_sort_f64},
	{"sort_generic", "serial", run_sort_i32},
	{"stable", "serial", run_stable},
	{"stable_generic", "serial", run_stable},
	{"partition", "serial", run_partition},
	{"filter", "serial", run_filter},
	{"min", "serial", run_min},
	{"max", "serial", run_max},
	{"min_generic", "serial", run_min_generic},
	{"max_generic", "serial", run_max_generic},
	{"find_first", "serial", run_find_first},
	{"histogram", "serial", run_histogram},
	{"pipeline", "serial", run_pipeline},
	{"copy", "serial", run_copy},
	{"fill", "serial", run_fill},
	{0},
};
