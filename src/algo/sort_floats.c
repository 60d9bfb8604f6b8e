/* SPDX-License-Identifier: MIT */
/*
 * Floats and doubles as whole numbers that are ordered like them, which compare faster:
 * their bits, all of them inverted if the number is negative, else only the sign, less
 * what that makes of minus infinity. So -0.0 comes just before 0.0, infinity is the
 * greatest but for NaNs, and what is below minus infinity, NaNs with a sign, wraps round
 * to the top.
 */
#include <filch/numbers.h>
#include <stdbool.h>

#include "algo/enter.h"

struct floats {
	void (*each)(struct floats *f); /* for a piece of them */
	void (*sort)(void *keys, size_t n);
	void *a;
	size_t n, size;
	bool twins; /* there are two that are equal, but not the same */
};

/* Fewer are not worth dividing. */
enum { PIECE = 1 << 14 };

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
	filch__sort_both(pieces, f, &right);
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
	/* -0.0, or a NaN: perhaps there is another. */                                  \
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
			filch__enter_pool(sort_##suffix, &f);                            \
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
