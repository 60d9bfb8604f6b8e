/* SPDX-License-Identifier: MIT */
/* The algorithms as a user of Filch writes them. */
#include <filch.h>
#include <filch/filter.h>
#include <filch/find.h>
#include <filch/for.h>
#include <filch/histogram.h>
#include <filch/memory.h>
#include <filch/numbers.h>
#include <filch/pipeline.h>
#include <filch/reduce.h>
#include <filch/scan.h>
#include <filch/sort.h>
#include <string.h>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

#define FILCH_SORT_STABLE_NAME stable_sort_pairs
#define FILCH_SORT_TYPE struct body_pair
#define FILCH_SORT_LESS(a, b) ((a)->key < (b)->key)
#include <filch/sort_template.h>

/* What a body is given: the work, and where the results go. */
struct job {
	const void *in;
	void *out;
	size_t side;
};

static int body_for_range(size_t begin, size_t end, void *context)
{
	const struct job *j = context;
	const double *x = j->in;
	double *y = j->out;

	for (size_t i = begin; i < end; i++)
		y[i] = body_for(x[i]);
	return 0;
}

static void run_for(const struct algo_work *w, void *out)
{
	filch_for(0, w->n, body_for_range, &(struct job){w->in, out, 0});
}

static int body_tile(const struct filch_tile *t, void *context)
{
	const struct job *j = context;
	const double *x = j->in;
	double *y = j->out;

	for (size_t r = t->row; r < t->row_end; r++)
		for (size_t c = t->column; c < t->column_end; c++)
			y[r * j->side + c] = body_2d(x[r * j->side + c], r, c);
	return 0;
}

static void run_for_2d(const struct algo_work *w, void *out)
{
	struct job j = {w->in, out, body_side(w->n)};

	filch_for_2d(j.side, j.side, body_tile, &j);
}

static int body_rows(size_t begin, size_t end, void *context)
{
	const struct job *j = context;

	for (size_t row = begin; row < end; row++)
		body_row(j->in, j->out, j->side, row);
	return 0;
}

static void run_stencil(const struct algo_work *w, void *out)
{
	struct job j = {.side = body_side(w->n)};

	for (size_t s = 0; s < w->sweeps; s++) {
		j.in = body_from(w->in, out, w->n, s);
		j.out = body_to(out, w->n, s);
		filch_for(0, j.side, body_rows, &j);
	}
}

static int body_steps_range(size_t begin, size_t end, void *context)
{
	const struct job *j = context;
	const uint32_t *steps = j->in;
	uint64_t *y = j->out;

	for (size_t i = begin; i < end; i++)
		y[i] = body_steps(i, steps[i]);
	return 0;
}

static void run_steps(const struct algo_work *w, void *out)
{
	filch_for(0, w->n, body_steps_range, &(struct job){w->in, out, 0});
}

static int body_add(size_t begin, size_t end, void *result, void *context)
{
	const double *x = context;
	double sum = *(double *)result;

	for (size_t i = begin; i < end; i++)
		sum += x[i];
	*(double *)result = sum;
	return 0;
}

static void add_f64(void *left, const void *right, void *context)
{
	(void)context;
	*(double *)left += *(const double *)right;
}

static void run_reduce(const struct algo_work *w, void *out)
{
	double sum = 0;

	filch_reduce(0, w->n, &sum, sizeof sum, body_add, add_f64, (void *)w->in);
	*(double *)out = sum;
}

static void run_scan(const struct algo_work *w, void *out)
{
	filch_scan_i64(w->in, out, w->n);
}

static void run_scan_exclusive(const struct algo_work *w, void *out)
{
	filch_scan_i64_exclusive(w->in, out, w->n);
}

static void run_sort_i32(const struct algo_work *w, void *out)
{
	filch_sort_i32(out, w->n);
}

static void run_sort_f64(const struct algo_work *w, void *out)
{
	filch_sort_f64(out, w->n);
}

static void run_sort_generic(const struct algo_work *w, void *out)
{
	filch_sort(out, w->n, sizeof(int32_t), algo_compare_i32, NULL);
}

static void run_stable(const struct algo_work *w, void *out)
{
	stable_sort_pairs(out, w->n);
}

static void run_stable_generic(const struct algo_work *w, void *out)
{
	filch_stable_sort(out, w->n, sizeof(struct body_pair), algo_compare_pair, NULL);
}

static void run_partition(const struct algo_work *w, void *out)
{
	uint64_t first = filch_partition(out, w->n, sizeof(int32_t), algo_odd, NULL);

	memcpy((int32_t *)out + w->n, &first, sizeof first);
}

static int body_filter_range(size_t begin, size_t end, void *out, size_t *kept,
                             void *context)
{
	*kept = body_filter(context, begin, end, out);
	return 0;
}

static void run_filter(const struct algo_work *w, void *out)
{
	size_t kept = 0;

	filch_filter(0, w->n, out, sizeof(int32_t), &kept, body_filter_range,
	             (void *)w->in);
	memcpy((int32_t *)out + w->n, &kept, sizeof kept);
}

static void run_min(const struct algo_work *w, void *out)
{
	*(uint64_t *)out = filch_min_f64(w->in, w->n);
}

static void run_max(const struct algo_work *w, void *out)
{
	*(uint64_t *)out = filch_max_f64(w->in, w->n);
}

static void run_min_generic(const struct algo_work *w, void *out)
{
	*(uint64_t *)out = filch_min(w->in, w->n, sizeof(double), algo_compare_f64, NULL);
}

static void run_max_generic(const struct algo_work *w, void *out)
{
	*(uint64_t *)out = filch_max(w->in, w->n, sizeof(double), algo_compare_f64, NULL);
}

static int body_find_range(size_t begin, size_t end, size_t *found, void *context)
{
	*found = body_find(context, begin, end);
	return 0;
}

static void run_find_first(const struct algo_work *w, void *out)
{
	size_t found = w->n;

	filch_find_first(0, w->n, &found, body_find_range, (void *)w->in);
	*(uint64_t *)out = found;
}

static int body_count(size_t begin, size_t end, uint64_t *count, void *context)
{
	const unsigned char *x = context;

	for (size_t i = begin; i < end; i++)
		count[x[i]]++;
	return 0;
}

static void run_histogram(const struct algo_work *w, void *out)
{
	memset(out, 0, w->out_bytes);
	filch_histogram(0, w->n, out, 256, body_count, (void *)w->in);
}

/* What goes through the pipeline: the numbers' places, in order. */
struct line {
	uint64_t *item, sum;
	size_t next, n;
};

static int stage_source(void **item, void *context)
{
	struct line *l = context;

	if (l->next == l->n)
		return 0;
	l->item[l->next] = l->next;
	*item = &l->item[l->next++];
	return 0;
}

static int stage_work(void **item, void *context)
{
	uint64_t *value = *item;

	(void)context;
	*value = body_steps(*value, BODY_ITEM_STEPS);
	return 0;
}

static int stage_sink(void **item, void *context)
{
	struct line *l = context;

	l->sum = body_steps(l->sum ^ *(uint64_t *)*item, BODY_SERIAL_STEPS);
	return 0;
}

static void run_pipeline(const struct algo_work *w, void *out)
{
	struct line l = {out, 0, 0, w->n};
	const struct filch_stage stage[] = {
		{FILCH_SERIAL, stage_source, &l},
		{FILCH_PARALLEL, stage_work, NULL},
		{FILCH_SERIAL, stage_sink, &l},
	};

	filch_pipeline(stage, 3, 0, NULL);
	l.item[l.n] = l.sum;
}

static void run_copy(const struct algo_work *w, void *out)
{
	filch_copy(out, w->in, w->out_bytes);
}

static void run_fill(const struct algo_work *w, void *out)
{
	filch_fill(out, 7, w->out_bytes);
}

const struct algo_impl algo_filch[] = {
	{"for", "filch", run_for},
	{"for_2d", "filch", run_for_2d},
	{"stencil", "filch", run_stencil},
	{"skewed", "filch", run_steps},
	{"uniform", "filch", run_steps},
	{"reduce", "filch", run_reduce},
	{"scan", "filch", run_scan},
	{"scan_exclusive", "filch", run_scan_exclusive},
	{"sort", "filch", run_sort_i32},
	{"sort_f64", "filch", run_sort_f64},
	{"sort_generic", "filch", run_sort_generic},
	{"stable", "filch", run_stable},
	{"stable_generic", "filch", run_stable_generic},
	{"partition", "filch", run_partition},
	{"filter", "filch", run_filter},
	{"min", "filch", run_min},
	{"max", "filch", run_max},
	{"min_generic", "filch", run_min_generic},
	{"max_generic", "filch", run_max_generic},
	{"find_first", "filch", run_find_first},
	{"histogram", "filch", run_histogram},
	{"pipeline", "filch", run_pipeline},
	{"copy", "filch", run_copy},
	{"fill", "filch", run_fill},
	{0},
};

FILCH_STATIC_TASK(struct algo_time, timed, (const struct algo_impl *, impl),
                  (const struct algo_work *, w))
{
	return algo_timed(impl, w);
}

struct algo_time algo_filch_timed(void *pool, const struct algo_impl *impl,
                                  const struct algo_work *w)
{
	return pool ? FILCH_RUN_ON(pool, timed, impl, w) : algo_timed(impl, w);
}
