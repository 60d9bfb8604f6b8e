/* SPDX-License-Identifier: MIT */
/*
 * Floats and doubles are sorted as whole numbers in the same order, their keys, which
 * compare faster. To make a key of a number, all its bits are inverted if it is negative,
 * and otherwise only the sign; then the value that this gives for minus infinity is
 * subtracted. So -0.0 comes just before 0.0, infinity comes last except for NaNs, and
 * NaNs with a sign, which would come before minus infinity, wrap round to the end.
 */
#include <assert.h>
#include <filch/numbers.h>
#include <stdbool.h>

#include "algo/both.h"

/* An array of floats or doubles, or a piece of one. */
struct floats {
	void (*each)(struct floats *f); /* called for each piece */
	void (*sort)(void *keys, size_t n);
	void *a;
	size_t n, size; /* elements; bytes of each */
	bool twins;     /* two elements may be equal, but differ in their bits */
};

/* Fewer elements are not worth dividing. */
enum { PIECE = 1 << 14 };

/* The function by which the work is shown: the sort, if it is for one. */
static filch__function *shown(const struct floats *f)
{
	return f->sort ? (filch__function *)f->sort : (filch__function *)f->each;
}

/* Does each piece, by halves. */
static void pieces(void *floats)
{
	struct floats *f = floats, right = *f;
	size_t n = f->n;

	if (n <= PIECE) {
		f->each(f);
		return;
	}
	f->n /= 2;
	right.n -= f->n;
	right.a = (char *)f->a + f->n * f->size;
	assert(f->n && right.n && f->n + right.n == n);
	filch__both_inside(shown(f), pieces, f, &right);
	f->twins |= right.twins;
	f->n = n;
}

static void each(struct floats *f, void (*fn)(struct floats *f))
{
	f->each = fn;
	pieces(f);
}

#define FLOATS(suffix, type, key, word, bits, low)                                       \
	static void to_keys_##suffix(struct floats *f)                                   \
	{                                                                                \
		const word sign = (word)1 << (bits - 1);                                 \
		key *a = f->a;                                                           \
                                                                                         \
		for (size_t i = 0; i < f->n; i++)                                        \
			a[i] = (a[i] ^ (-(a[i] >> (bits - 1)) | sign)) - (word)low;      \
	}                                                                                \
                                                                                         \
	static void of_keys_##suffix(struct floats *f)                                   \
	{                                                                                \
		const word sign = (word)1 << (bits - 1);                                 \
		key *a = f->a;                                                           \
                                                                                         \
		for (size_t i = 0; i < f->n; i++) {                                      \
			word x = a[i] + (word)low;                                       \
                                                                                         \
			a[i] = x ^ (((x >> (bits - 1)) - 1) | sign);                     \
		}                                                                        \
	}                                                                                \
                                                                                         \
	/* Looks for -0.0 or a NaN: there may be a 0.0, or another NaN. */               \
	static void twins_##suffix(struct floats *f)                                     \
	{                                                                                \
		const word sign = (word)1 << (bits - 1), infinity = sign - low - 1;      \
		const key *a = f->a;                                                     \
		word found = 0;                                                          \
                                                                                         \
		for (size_t i = 0; i < f->n; i++)                                        \
			found |= (a[i] == sign) | ((a[i] & ~sign) > infinity);           \
		f->twins = found;                                                        \
	}                                                                                \
                                                                                         \
	static void sort_##suffix(void *floats)                                          \
	{                                                                                \
		struct floats *f = floats;                                               \
                                                                                         \
		each(f, to_keys_##suffix);                                               \
		f->sort(f->a, f->n);                                                     \
		each(f, of_keys_##suffix);                                               \
	}                                                                                \
                                                                                         \
	void filch__sort_##suffix(type *a, size_t n, void (*sort)(void *keys, size_t n)) \
	{                                                                                \
		struct floats f = {NULL, sort, a, n, sizeof *a, false};                  \
                                                                                         \
		if (n < FILCH__SORT_GRAINS * FILCH__SORT_GRAIN)                          \
			sort_##suffix(&f);                                               \
		else                                                                     \
			filch__enter_pool_as(shown(&f), sort_##suffix, &f);              \
	}                                                                                \
                                                                                         \
	bool filch__twins_##suffix(const type *a, size_t n)                              \
	{                                                                                \
		struct floats f = {                                                      \
			NULL, NULL, (void *)(uintptr_t)a, n, sizeof *a, false};          \
                                                                                         \
		each(&f, twins_##suffix);                                                \
		return f.twins;                                                          \
	}

FLOATS(f32, float, filch__key32, uint32_t, 32, 0x007fffff)
FLOATS(f64, double, filch__key64, uint64_t, 64, 0x000fffffffffffff)
