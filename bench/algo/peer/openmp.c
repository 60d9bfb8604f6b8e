/* SPDX-License-Identifier: MIT */
/* The algorithms as OpenMP loops, with each way of handing out iterations. */
#include <omp.h>
#include <string.h>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

#define PRAGMA(text) _Pragma(#text)

#define LOOPS(kind)                                                        \
	static void for_##kind(const struct algo_work *w, void *out)       \
	{                                                                  \
		const double *x = w->in;                                   \
		double *y = out;                                           \
		size_t n = w->n;                                           \
                                                                           \
		PRAGMA(omp parallel for schedule(kind))                    \
		for (size_t i = 0; i < n; i++)                             \
			y[i] = body_for(x[i]);                             \
	}                                                                  \
	static void steps_##kind(const struct algo_work *w, void *out)     \
	{                                                                  \
		const uint32_t *steps = w->in;                             \
		uint64_t *y = out;                                         \
		size_t n = w->n;                                           \
                                                                           \
		PRAGMA(omp parallel for schedule(kind))                    \
		for (size_t i = 0; i < n; i++)                             \
			y[i] = body_steps(i, steps[i]);                    \
	}                                                                  \
	static void reduce_##kind(const struct algo_work *w, void *out)    \
	{                                                                  \
		const double *x = w->in;                                   \
		size_t n = w->n;                                           \
		double sum = 0;                                            \
                                                                           \
		PRAGMA(omp parallel for schedule(kind) reduction(+ : sum)) \
		for (size_t i = 0; i < n; i++)                             \
			sum += x[i];                                       \
		*(double *)out = sum;                                      \
	}

LOOPS(static)
LOOPS(dynamic)
LOOPS(guided)

static void run_for_2d(const struct algo_work *w, void *out)
{
	size_t side = body_side(w->n);
	const double *x = w->in;
	double *y = out;

#pragma omp parallel for schedule(static)
	for (size_t r = 0; r < side; r++)
		for (size_t c = 0; c < side; c++)
			y[r * side + c] = body_2d(x[r * side + c], r, c);
}

static void run_stencil(const struct algo_work *w, void *out)
{
	size_t n = w->n, side = body_side(n);

	for (size_t s = 0; s < w->sweeps; s++) {
		const double *from = body_from(w->in, out, n, s);
		double *to = body_to(out, n, s);

#pragma omp parallel for schedule(static)
		for (size_t row = 0; row < side; row++)
			body_row(from, to, side, row);
	}
}

static void run_scan(const struct algo_work *w, void *out)
{
	const int64_t *x = w->in;
	int64_t *y = out, sum = 0;
	size_t n = w->n;

#pragma omp parallel for reduction(inscan, + : sum)
	for (size_t i = 0; i < n; i++) {
		sum += x[i];
#pragma omp scan inclusive(sum)
		y[i] = sum;
	}
}

static void run_scan_exclusive(const struct algo_work *w, void *out)
{
	const int64_t *x = w->in;
	int64_t *y = out, sum = 0;
	size_t n = w->n;

#pragma omp parallel for reduction(inscan, + : sum)
	for (size_t i = 0; i < n; i++) {
		y[i] = sum;
#pragma omp scan exclusive(sum)
		sum += x[i];
	}
}

/* By hand: the sums of all parts, then the parts. */
static void run_scan_twice(const struct algo_work *w, void *out)
{
	const int64_t *x = w->in;
	int64_t *y = out, total[256] = {0};

#pragma omp parallel
	{
		size_t threads = (size_t)omp_get_num_threads();
		size_t me = (size_t)omp_get_thread_num();
		size_t begin = w->n / threads * me;
		size_t end = me + 1 < threads ? w->n / threads * (me + 1) : w->n;
		int64_t sum = 0;

		if (me + 1 < threads)
			for (size_t i = begin; i < end; i++)
				sum += x[i];
		total[me] = sum;
#pragma omp barrier
		sum = 0;
		for (size_t i = 0; i < me; i++)
			sum += total[i];
		for (size_t i = begin; i < end; i++)
			y[i] = sum += x[i];
	}
}

static void run_min(const struct algo_work *w, void *out)
{
	const double *x = w->in;
	size_t n = w->n, least = 0;

#pragma omp parallel
	{
		size_t mine = 0;

#pragma omp for schedule(static) nowait
		for (size_t i = 1; i < n; i++)
			if (x[i] < x[mine])
				mine = i;
#pragma omp critical
		if (x[mine] < x[least] || (!(x[least] < x[mine]) && mine < least))
			least = mine;
	}
	*(uint64_t *)out = least;
}

static void run_histogram(const struct algo_work *w, void *out)
{
	const unsigned char *x = w->in;
	uint64_t *count = (uint64_t *)memset(out, 0, w->out_bytes);
	size_t n = w->n;

#pragma omp parallel for schedule(static) reduction(+ : count[:256])
	for (size_t i = 0; i < n; i++)
		count[x[i]]++;
}

static void run_copy(const struct algo_work *w, void *out)
{
	const uint64_t *x = w->in;
	uint64_t *y = out;
	size_t n = w->n;

#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < n; i++)
		y[i] = x[i];
}

static void run_fill(const struct algo_work *w, void *out)
{
	uint64_t *y = out;
	size_t n = w->n;

#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < n; i++)
		y[i] = 0x0707070707070707u;
}

static const struct algo_impl table[] = {
	{"for", "openmp_static", for_static},
	{"for", "openmp_dynamic", for_dynamic},
	{"for", "openmp_guided", for_guided},
	{"skewed", "openmp_static", steps_static},
	{"skewed", "openmp_dynamic", steps_dynamic},
	{"skewed", "openmp_guided", steps_guided},
	{"uniform", "openmp_static", steps_static},
	{"uniform", "openmp_dynamic", steps_dynamic},
	{"uniform", "openmp_guided", steps_guided},
	{"reduce", "openmp_static", reduce_static},
	{"reduce", "openmp_dynamic", reduce_dynamic},
	{"reduce", "openmp_guided", reduce_guided},
	{"for_2d", "openmp_static", run_for_2d},
	{"stencil", "openmp", run_stencil},
	{"scan", "openmp_inscan", run_scan},
	{"scan", "openmp_twice", run_scan_twice},
	{"scan_exclusive", "openmp_inscan", run_scan_exclusive},
	{"min", "openmp_static", run_min},
	{"histogram", "openmp_static", run_histogram},
	{"copy", "openmp_static", run_copy},
	{"fill", "openmp_static", run_fill},
	{0},
};

static struct algo_time timed(const struct algo_impl *impl, const struct algo_work *w,
                              unsigned workers)
{
	omp_set_num_threads((int)workers);
	return algo_timed(impl, w);
}

extern const struct algo_peer algo_peer;
const struct algo_peer algo_peer = {table, timed};
