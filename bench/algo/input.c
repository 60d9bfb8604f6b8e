/* SPDX-License-Identifier: MIT */
/* What the algorithms are given, how much of it, and what is looked at afterwards. */
#include <string.h>

#include "bench/algo/algo.h"
#include "bench/algo/body.h"

uint64_t algo_digest(const void *words, size_t n)
{
	const uint64_t *w = words;
	uint64_t h = 0;

	for (size_t i = 0; i < n; i++)
		h += w[i] * (2 * i + 1);
	return h;
}

/* Below 1, with so few digits that sums are exact in any order. */
static void fractions(void *in, size_t n)
{
	double *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (double)(body_hash(i) >> 54) / 1024;
}

/* All different, or nearly. */
static void numbers_f64(void *in, size_t n)
{
	double *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (double)(body_hash(i) >> 11) * 0x1p-53;
}

static void numbers_i32(void *in, size_t n)
{
	int32_t *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (int32_t)(body_hash(i) >> 32);
}

static void small_i64(void *in, size_t n)
{
	int64_t *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (int64_t)(body_hash(i) >> 48);
}

/* None is zero but the one at three quarters, and others behind it. */
static void haystack(void *in, size_t n)
{
	int32_t *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (int32_t)(body_hash(i) >> 33) | 1;
	for (size_t i = n / 4 * 3; i < n; i += n / 16 + 1)
		x[i] = 0;
}

static void bytes(void *in, size_t n)
{
	unsigned char *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (unsigned char)(body_hash(i) >> 56);
}

/* Each key some ten times; the payload tells where it was. */
static void pairs(void *in, size_t n)
{
	struct body_pair *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = (struct body_pair){(int64_t)(body_hash(i) % (n / 10 + 1)),
		                          (int64_t)i};
}

/* Steps of each iteration: one in a thousand takes a thousand times as many. */
static void skewed(void *in, size_t n)
{
	uint32_t *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = body_hash(i) % 1000 ? 8 : 8000;
}

static void uniform(void *in, size_t n)
{
	uint32_t *x = in;

	for (size_t i = 0; i < n; i++)
		x[i] = 16;
}

static void nothing(void *in, size_t n)
{
	memset(in, 0, n);
}

/* What lies behind n numbers: how many are first, or were kept. */
static size_t count_behind(const int32_t *x, size_t n)
{
	uint64_t count;

	memcpy(&count, x + n, sizeof count);
	return count <= n ? (size_t)count : 0;
}

static uint64_t filtered(const void *out, size_t n)
{
	const int32_t *x = out;
	size_t kept = count_behind(x, n);
	uint64_t h = kept;

	for (size_t i = 0; i < kept; i++)
		h += (uint64_t)x[i] * (2 * i + 3);
	return h;
}

/* In any order, but on the right side. */
static uint64_t partitioned(const void *out, size_t n)
{
	const int32_t *x = out;
	size_t first = count_behind(x, n);
	uint64_t h = first;

	for (size_t i = 0; i < n; i++)
		h += body_hash((uint64_t)x[i]) * (i < first ? 3 : 5);
	return h;
}

const struct algo algo_table[] = {
	{"for", numbers_f64, 8, 8, 0, false, false, NULL},
	{"for_2d", numbers_f64, 8, 8, 0, false, false, NULL},
	{"stencil", numbers_f64, 8, 16, 0, false, true, NULL},
	{"skewed", skewed, 4, 8, 0, false, false, NULL},
	{"uniform", uniform, 4, 8, 0, false, false, NULL},
	{"reduce", fractions, 8, 0, 8, false, false, NULL},
	{"scan", small_i64, 8, 8, 0, false, false, NULL},
	{"scan_exclusive", small_i64, 8, 8, 0, false, false, NULL},
	{"sort", numbers_i32, 4, 4, 0, true, false, NULL},
	{"sort_f64", numbers_f64, 8, 8, 0, true, false, NULL},
	{"sort_generic", numbers_i32, 4, 4, 0, true, false, NULL},
	{"stable", pairs, 16, 16, 0, true, false, NULL},
	{"stable_generic", pairs, 16, 16, 0, true, false, NULL},
	{"partition", numbers_i32, 4, 4, 8, true, false, partitioned},
	{"filter", numbers_i32, 4, 4, 8, false, false, filtered},
	{"min", numbers_f64, 8, 0, 8, false, false, NULL},
	{"max", numbers_f64, 8, 0, 8, false, false, NULL},
	{"min_generic", numbers_f64, 8, 0, 8, false, false, NULL},
	{"max_generic", numbers_f64, 8, 0, 8, false, false, NULL},
	{"find_first", haystack, 4, 0, 8, false, false, NULL},
	{"histogram", bytes, 1, 0, 256 * 8, false, false, NULL},
	{"pipeline", nothing, 1, 8, 8, false, false, NULL},
	{"copy", small_i64, 8, 8, 0, false, false, NULL},
	{"fill", nothing, 1, 8, 0, false, false, NULL},
	{0},
};

const struct algo_bench algo_benches[] = {
	{"for1e3", "for", 1000, 1000, NULL, 0},
	{"for1e4", "for", 10000, 10000, NULL, 0},
	{"for1e5", "for", 100000, 100000, NULL, 0},
	{"for1e6", "for", 1000000, 100000, NULL, 0},
	{"for1e7", "for", 10000000, 200000, NULL, 0},
	{"for1e8", "for", 100000000, 1000000, "openmp_dynamic", 0},
	{"reduce1e3", "reduce", 1000, 1000, NULL, 0},
	{"reduce1e4", "reduce", 10000, 10000, NULL, 0},
	{"reduce1e5", "reduce", 100000, 100000, NULL, 0},
	{"reduce1e6", "reduce", 1000000, 100000, NULL, 0},
	{"reduce1e7", "reduce", 10000000, 200000, NULL, 0},
	{"reduce1e8", "reduce", 100000000, 1000000, "openmp_dynamic", 0},
	{"scan1e3", "scan", 1000, 1000, NULL, 0},
	{"scan1e4", "scan", 10000, 10000, NULL, 0},
	{"scan1e5", "scan", 100000, 100000, NULL, 0},
	{"scan1e6", "scan", 1000000, 100000, NULL, 0},
	{"scan1e7", "scan", 10000000, 200000, NULL, 0},
	{"scan1e8", "scan", 100000000, 1000000, NULL, 0},
	{"sort1e3", "sort", 1000, 1000, NULL, 0},
	{"sort1e4", "sort", 10000, 10000, NULL, 0},
	{"sort1e5", "sort", 100000, 20000, NULL, 0},
	{"sort1e6", "sort", 1000000, 50000, NULL, 0},
	{"sort1e7", "sort", 10000000, 100000, NULL, 0},
	{"sort_f64_1e7", "sort_f64", 10000000, 100000, NULL, 0},
	{"sort_generic1e6", "sort_generic", 1000000, 50000, NULL, 0},
	{"stable1e6", "stable", 1000000, 50000, NULL, 0},
	{"stable1e7", "stable", 10000000, 100000, NULL, 0},
	{"stable_generic1e6", "stable_generic", 1000000, 50000, NULL, 0},
	{"for_2d1e6", "for_2d", 1000000, 100000, NULL, 0},
	{"skewed", "skewed", 1000000, 50000, NULL, 0},
	{"uniform", "uniform", 1000000, 50000, NULL, 0},
	{"scan_exclusive1e6", "scan_exclusive", 1000000, 100000, NULL, 0},
	{"partition1e6", "partition", 1000000, 100000, NULL, 0},
	{"filter1e6", "filter", 1000000, 100000, NULL, 0},
	{"min1e6", "min", 1000000, 100000, NULL, 0},
	{"max1e6", "max", 1000000, 100000, NULL, 0},
	{"min_generic1e6", "min_generic", 1000000, 100000, NULL, 0},
	{"max_generic1e6", "max_generic", 1000000, 100000, NULL, 0},
	{"find_first1e6", "find_first", 1000000, 100000, NULL, 0},
	{"histogram1e6", "histogram", 1000000, 100000, NULL, 0},
	{"pipeline1e6", "pipeline", 1000000, 5000, NULL, 0},
	{"copy1e6", "copy", 1000000, 100000, NULL, 0},
	{"fill1e6", "fill", 1000000, 100000, NULL, 0},
	{"stencil256", "stencil", 256 * 256, 256 * 256, NULL, 2000},
	{"stencil1024", "stencil", 1024 * 1024, 1024 * 1024, NULL, 2000},
	{0},
};
