/* SPDX-License-Identifier: MIT */
/* The algorithms of libstdc++, in parallel mode (gnu_parallel) and serial (std). */
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <parallel/settings.h>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

static bool by_key(const body_pair &a, const body_pair &b)
{
	return a.key < b.key;
}

static bool odd(int32_t x)
{
	return x & 1;
}

static bool is_zero(int32_t x)
{
	return !x;
}

template <class T> static const T *in(const algo_work *w)
{
	return static_cast<const T *>(w->in);
}

static void run_for(const algo_work *w, void *out)
{
	const double *x = in<double>(w);

	__gnu_parallel::transform(x, x + w->n, static_cast<double *>(out), body_for);
}

static void run_steps(const algo_work *w, void *out)
{
	const uint32_t *steps = in<uint32_t>(w);
	uint64_t *y = static_cast<uint64_t *>(out);

	/* By the element's address: for_each has no index. */
	__gnu_parallel::for_each(y, y + w->n, [=](uint64_t &value) {
		size_t i = static_cast<size_t>(&value - y);

		value = body_steps(i, steps[i]);
	});
}

static void run_reduce(const algo_work *w, void *out)
{
	const double *x = in<double>(w);

	*static_cast<double *>(out) = __gnu_parallel::accumulate(x, x + w->n, 0.0);
}

static void run_scan(const algo_work *w, void *out)
{
	const int64_t *x = in<int64_t>(w);

	__gnu_parallel::partial_sum(x, x + w->n, static_cast<int64_t *>(out));
}

template <class T> static void run_sort(const algo_work *w, void *out)
{
	T *x = static_cast<T *>(out);

	__gnu_parallel::sort(x, x + w->n);
}

static void run_stable(const algo_work *w, void *out)
{
	body_pair *x = static_cast<body_pair *>(out);

	__gnu_parallel::stable_sort(x, x + w->n, by_key);
}

static void put_count(int32_t *x, size_t n, int32_t *end)
{
	uint64_t count = static_cast<uint64_t>(end - x);

	memcpy(x + n, &count, sizeof count);
}

static void run_partition(const algo_work *w, void *out)
{
	int32_t *x = static_cast<int32_t *>(out);

	put_count(x, w->n, __gnu_parallel::partition(x, x + w->n, odd));
}

template <class T> static void put_index(void *out, const T *base, const T *found)
{
	*static_cast<uint64_t *>(out) = static_cast<uint64_t>(found - base);
}

static void run_min(const algo_work *w, void *out)
{
	const double *x = in<double>(w);

	put_index(out, x, __gnu_parallel::min_element(x, x + w->n));
}

static void run_max(const algo_work *w, void *out)
{
	const double *x = in<double>(w);

	put_index(out, x, __gnu_parallel::max_element(x, x + w->n));
}

static void run_find_first(const algo_work *w, void *out)
{
	const int32_t *x = in<int32_t>(w);

	put_index(out, x, __gnu_parallel::find_if(x, x + w->n, is_zero));
}

template <class T> static void std_sort(const algo_work *w, void *out)
{
	T *x = static_cast<T *>(out);

	std::sort(x, x + w->n);
}

static void std_stable(const algo_work *w, void *out)
{
	body_pair *x = static_cast<body_pair *>(out);

	std::stable_sort(x, x + w->n, by_key);
}

static void std_partition(const algo_work *w, void *out)
{
	int32_t *x = static_cast<int32_t *>(out);

	put_count(x, w->n, std::partition(x, x + w->n, odd));
}

static const struct algo_impl table[] = {
	{"for", "gnu_parallel", run_for},
	{"skewed", "gnu_parallel", run_steps},
	{"uniform", "gnu_parallel", run_steps},
	{"reduce", "gnu_parallel", run_reduce},
	{"scan", "gnu_parallel", run_scan},
	{"sort", "gnu_parallel", run_sort<int32_t>},
	{"sort_f64", "gnu_parallel", run_sort<double>},
	{"stable", "gnu_parallel", run_stable},
	{"partition", "gnu_parallel", run_partition},
	{"min", "gnu_parallel", run_min},
	{"max", "gnu_parallel", run_max},
	{"find_first", "gnu_parallel", run_find_first},
	{"sort", "std", std_sort<int32_t>},
	{"sort_f64", "std", std_sort<double>},
	{"stable", "std", std_stable},
	{"partition", "std", std_partition},
	{},
};

static struct algo_time timed(const algo_impl *impl, const algo_work *w, unsigned workers)
{
	__gnu_parallel::_Settings s = __gnu_parallel::_Settings::get();

	s.algorithm_strategy = __gnu_parallel::force_parallel;
	__gnu_parallel::_Settings::set(s);
	omp_set_num_threads(static_cast<int>(workers));
	return algo_timed(impl, w);
}

extern "C" {
extern const algo_peer algo_peer;
const struct algo_peer algo_peer = {table, timed};
}
