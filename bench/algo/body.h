/* SPDX-License-Identifier: MIT */
/*
 * What the loops do: the same text for every back end, in the subset that C and C++ share.
 */
#ifndef FILCH_BENCH_ALGO_BODY_H
#define FILCH_BENCH_ALGO_BODY_H

#include <stddef.h>
#include <stdint.h>

/* The finaliser of SplitMix64: well mixed numbers from consecutive ones. */
static inline uint64_t body_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* for: about a nanosecond, of which the compiler does two at a time. */
static inline double body_for(double x)
{
	return 0.5 * x + 1 / (1 + x * x);
}

/* for_2d */
static inline double body_2d(double x, size_t row, size_t column)
{
	return x * (double)(int)row + (double)(int)column;
}

/* The side of a square of n. */
static inline size_t body_side(size_t n)
{
	size_t side = 1;

	while ((side + 1) * (side + 1) <= n)
		side++;
	return side;
}

/* stencil: a row of a square becomes the means of its four neighbours; borders stay. */
static inline void body_row(const double *from, double *to, size_t side, size_t row)
{
	const double *mid = from + row * side, *above = mid - side, *below = mid + side;
	double *out = to + row * side;

	if (row == 0 || row + 1 == side) {
		for (size_t i = 0; i < side; i++)
			out[i] = mid[i];
		return;
	}
	out[0] = mid[0];
	for (size_t i = 1; i + 1 < side; i++)
		out[i] = 0.25 * (mid[i - 1] + mid[i + 1] + above[i] + below[i]);
	out[side - 1] = mid[side - 1];
}

/* Returns where this sweep reads: the input, or the half of `out` written before. */
static inline const double *body_from(const void *in, void *out, size_t n, size_t sweep)
{
	return sweep ? (const double *)out + (sweep - 1) % 2 * n : (const double *)in;
}

static inline double *body_to(void *out, size_t n, size_t sweep)
{
	return (double *)out + sweep % 2 * n;
}

/* skewed, uniform, pipeline: so many steps of a nanosecond or two. */
static inline uint64_t body_steps(uint64_t x, uint32_t steps)
{
	for (uint32_t i = 0; i < steps; i++)
		x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return x;
}

#define BODY_ITEM_STEPS 600 /* of the pipeline's parallel stage: about a microsecond */
#define BODY_SERIAL_STEPS 4 /* of its last, which is serial */

/* filter: writes all of its place, and goes on where it keeps; no branch to guess. */
static inline size_t body_filter(const int32_t *in, size_t begin, size_t end,
                                 int32_t *out)
{
	size_t kept = 0;

	for (size_t i = begin; i < end; i++) {
		int32_t x = in[i];

		out[kept] = x;
		kept += (size_t)(x & 1);
	}
	return kept;
}

/* find_first: the first that is zero. */
static inline size_t body_find(const int32_t *in, size_t begin, size_t end)
{
	while (begin < end && in[begin])
		begin++;
	return begin;
}

/* An element of 16 bytes that is sorted by its key. */
struct body_pair {
	int64_t key, payload;
};

#endif
