/* SPDX-License-Identifier: MIT */
/* The algorithms with oneTBB, as its documentation has them: blocked_range, and the
 * automatic partitioner. */
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <cstring>
#include <functional>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

using range = tbb::blocked_range<size_t>;

template <class T> static const T *in(const algo_work *w)
{
	return static_cast<const T *>(w->in);
}

static void run_for(const algo_work *w, void *out)
{
	const double *x = in<double>(w);
	double *y = static_cast<double *>(out);

	tbb::parallel_for(range(0, w->n), [=](const range &r) {
		for (size_t i = r.begin(); i < r.end(); i++)
			y[i] = body_for(x[i]);
	});
}

static void run_for_2d(const algo_work *w, void *out)
{
	using plane = tbb::blocked_range2d<size_t>;
	size_t side = body_side(w->n);
	const double *x = in<double>(w);
	double *y = static_cast<double *>(out);

	tbb::parallel_for(plane(0, side, 0, side), [=](const plane &p) {
		for (size_t r = p.rows().begin(); r < p.rows().end(); r++)
			for (size_t c = p.cols().begin(); c < p.cols().end(); c++)
				y[r * side + c] = body_2d(x[r * side + c], r, c);
	});
}

static void run_stencil(const algo_work *w, void *out)
{
	size_t n = w->n, side = body_side(n);

	for (size_t s = 0; s < w->sweeps; s++) {
		const double *from = body_from(w->in, out, n, s);
		double *to = body_to(out, n, s);

		tbb::parallel_for(range(0, side), [=](const range &r) {
			for (size_t row = r.begin(); row < r.end(); row++)
				body_row(from, to, side, row);
		});
	}
}

static void run_steps(const algo_work *w, void *out)
{
	const uint32_t *steps = in<uint32_t>(w);
	uint64_t *y = static_cast<uint64_t *>(out);

	tbb::parallel_for(range(0, w->n), [=](const range &r) {
		for (size_t i = r.begin(); i < r.end(); i++)
			y[i] = body_steps(i, steps[i]);
	});
}

static void run_reduce(const algo_work *w, void *out)
{
	const double *x = in<double>(w);

	*static_cast<double *>(out) = tbb::parallel_reduce(
		range(0, w->n), 0.0,
		[=](const range &r, double sum) {
			for (size_t i = r.begin(); i < r.end(); i++)
				sum += x[i];
			return sum;
		},
		std::plus<double>());
}

static void run_scan(const algo_work *w, void *out)
{
	const int64_t *x = in<int64_t>(w);
	int64_t *y = static_cast<int64_t *>(out);

	tbb::parallel_scan(
		range(0, w->n), int64_t{0},
		[=](const range &r, int64_t sum, bool last) {
			if (last)
				for (size_t i = r.begin(); i < r.end(); i++)
					y[i] = sum += x[i];
			else
				for (size_t i = r.begin(); i < r.end(); i++)
					sum += x[i];
			return sum;
		},
		std::plus<int64_t>());
}

static void run_scan_exclusive(const algo_work *w, void *out)
{
	const int64_t *x = in<int64_t>(w);
	int64_t *y = static_cast<int64_t *>(out);

	tbb::parallel_scan(
		range(0, w->n), int64_t{0},
		[=](const range &r, int64_t sum, bool last) {
			for (size_t i = r.begin(); i < r.end(); i++) {
				if (last)
					y[i] = sum;
				sum += x[i];
			}
			return sum;
		},
		std::plus<int64_t>());
}

template <class T> static void run_sort(const algo_work *w, void *out)
{
	T *x = static_cast<T *>(out);

	tbb::parallel_sort(x, x + w->n);
}

/* The index of the first of those that `before` prefers. */
template <class Before> static size_t best(const double *x, size_t n, Before before)
{
	return tbb::parallel_reduce(
		range(0, n), size_t{0},
		[=](const range &r, size_t found) {
			for (size_t i = r.begin(); i < r.end(); i++)
				if (before(x[i], x[found]))
					found = i;
			return found;
		},
		[=](size_t a, size_t b) {
			return before(x[b], x[a]) || (x[a] == x[b] && b < a) ? b : a;
		});
}

static void run_min(const algo_work *w, void *out)
{
	*static_cast<uint64_t *>(out) = best(in<double>(w), w->n, std::less<double>());
}

static void run_max(const algo_work *w, void *out)
{
	*static_cast<uint64_t *>(out) = best(in<double>(w), w->n, std::greater<double>());
}

struct counts {
	const unsigned char *x;
	uint64_t *count;
	uint64_t mine[256] = {};

	counts(const unsigned char *x_, uint64_t *count_) : x(x_), count(count_)
	{
	}
	counts(counts &other, tbb::split) : x(other.x), count(mine)
	{
	}
	void operator()(const range &r)
	{
		for (size_t i = r.begin(); i < r.end(); i++)
			count[x[i]]++;
	}
	void join(const counts &right)
	{
		for (size_t i = 0; i < 256; i++)
			count[i] += right.count[i];
	}
};

static void run_histogram(const algo_work *w, void *out)
{
	counts all(in<unsigned char>(w),
	           static_cast<uint64_t *>(memset(out, 0, w->out_bytes)));

	tbb::parallel_reduce(range(0, w->n), all);
}

/* Four tokens a worker, as Filch has by default. */
static void run_pipeline(const algo_work *w, void *out)
{
	uint64_t *item = static_cast<uint64_t *>(out), sum = 0;
	size_t next = 0, n = w->n;
	size_t tokens = 4 * static_cast<size_t>(tbb::this_task_arena::max_concurrency());

	tbb::parallel_pipeline(
		tokens,
		tbb::make_filter<void, uint64_t *>(
			tbb::filter_mode::serial_in_order,
			[&](tbb::flow_control &flow) -> uint64_t * {
				if (next == n) {
					flow.stop();
					return nullptr;
				}
				item[next] = next;
				return &item[next++];
			}) &
			tbb::make_filter<uint64_t *, uint64_t *>(
				tbb::filter_mode::parallel,
				[](uint64_t *p) {
					*p = body_steps(*p, BODY_ITEM_STEPS);
					return p;
				}) &
			tbb::make_filter<uint64_t *, void>(
				tbb::filter_mode::serial_in_order, [&](uint64_t *p) {
					sum = body_steps(sum ^ *p, BODY_SERIAL_STEPS);
				}));
	item[n] = sum;
}

static void run_copy(const algo_work *w, void *out)
{
	const uint64_t *x = in<uint64_t>(w);
	uint64_t *y = static_cast<uint64_t *>(out);

	tbb::parallel_for(range(0, w->n), [=](const range &r) {
		memcpy(y + r.begin(), x + r.begin(), r.size() * sizeof *x);
	});
}

static void run_fill(const algo_work *w, void *out)
{
	char *y = static_cast<char *>(out);

	tbb::parallel_for(range(0, w->out_bytes),
	                  [=](const range &r) { memset(y + r.begin(), 7, r.size()); });
}

static const struct algo_impl table[] = {
	{"for", "tbb", run_for},
	{"for_2d", "tbb", run_for_2d},
	{"stencil", "tbb", run_stencil},
	{"skewed", "tbb", run_steps},
	{"uniform", "tbb", run_steps},
	{"reduce", "tbb", run_reduce},
	{"scan", "tbb", run_scan},
	{"scan_exclusive", "tbb", run_scan_exclusive},
	{"sort", "tbb", run_sort<int32_t>},
	{"sort_f64", "tbb", run_sort<double>},
	{"min", "tbb", run_min},
	{"max", "tbb", run_max},
	{"histogram", "tbb", run_histogram},
	{"pipeline", "tbb", run_pipeline},
	{"copy", "tbb", run_copy},
	{"fill", "tbb", run_fill},
	{},
};

static struct algo_time timed(const algo_impl *impl, const algo_work *w, unsigned workers)
{
	static tbb::global_control most(tbb::global_control::max_allowed_parallelism,
	                                workers);
	static tbb::task_arena arena(static_cast<int>(workers));
	struct algo_time t = {};

	arena.execute([&] { t = algo_timed(impl, w); });
	return t;
}

extern "C" {
extern const algo_peer algo_peer;
const struct algo_peer algo_peer = {table, timed};
}
