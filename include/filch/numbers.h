/* SPDX-License-Identifier: MIT */
/*
 * Algorithms on arrays of plain numbers, with loops that the compiler sees.
 *
 *   filch_sort_f64(samples, n);
 *
 * Each function exists for six types, i32, u32, i64, u64, f32 and f64. A function that is
 * not used costs nothing.
 *
 * If FILCH_OUT_OF_LINE is defined before this header is included, the header only declares
 * the functions: the library has a copy of each, for other languages, and for programs that
 * need no copy of their own.
 */
#ifndef FILCH_NUMBERS_H
#define FILCH_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* The types: X(suffix, type). */
#define FILCH_NUMBERS(X) \
	X(i32, int32_t)  \
	X(u32, uint32_t) \
	X(i64, int64_t)  \
	X(u64, uint64_t) \
	X(f32, float)    \
	X(f64, double)

/* The functions for a type; the comments are below. */
#define FILCH__NUMBERS_DECLARE(suffix, type)                                      \
	void filch_sort_##suffix(type *a, size_t n);                              \
	void filch_stable_sort_##suffix(type *a, size_t n);                       \
	int filch_scan_##suffix(const type *in, type *out, size_t n);             \
	int filch_scan_##suffix##_exclusive(const type *in, type *out, size_t n); \
	size_t filch_min_##suffix(const type *a, size_t n);                       \
	size_t filch_max_##suffix(const type *a, size_t n);

#ifdef FILCH_OUT_OF_LINE

#ifdef __cplusplus
extern "C" {
#endif
FILCH_NUMBERS(FILCH__NUMBERS_DECLARE)
#ifdef __cplusplus
}
#endif

#else

/* ---- sorting ---- */

/*
 * filch_sort_i32(int32_t *a, size_t n) and so on sort in ascending order, in place. NaNs
 * come last. -0.0 and 0.0 are equal, so that they may come in any order;
 * filch_stable_sort_f64() and ..._f32() keep their order, and that of NaNs of different
 * kinds. filch/sort_template.h makes functions for other types.
 */
#define FILCH__BELOW(a, b) (*(a) < *(b))
#define FILCH__BELOW_OR_NAN(a, b) ((*(a) < *(b)) | ((*(b) != *(b)) & (*(a) == *(a))))

#define FILCH_SORT_NAME filch_sort_i32
#define FILCH_SORT_TYPE int32_t
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

#define FILCH_SORT_NAME filch_sort_u32
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

#define FILCH_SORT_NAME filch_sort_i64
#define FILCH_SORT_TYPE int64_t
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

#define FILCH_SORT_NAME filch_sort_u64
#define FILCH_SORT_TYPE uint64_t
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

/* Integers that are equal cannot be told apart. */
#define FILCH__SORT_WHOLE(suffix, type)                                  \
	static inline void filch_stable_sort_##suffix(type *a, size_t n) \
	{                                                                \
		filch_sort_##suffix(a, n);                               \
	}

FILCH__SORT_WHOLE(i32, int32_t)
FILCH__SORT_WHOLE(u32, uint32_t)
FILCH__SORT_WHOLE(i64, int64_t)
FILCH__SORT_WHOLE(u64, uint64_t)

/* Floats and doubles are sorted as integers (src/algo/sort_floats.c says how), unless the
 * sort must be stable and some elements are equal without being identical. */
typedef uint32_t filch__key32 __attribute__((may_alias));
typedef uint64_t filch__key64 __attribute__((may_alias));

#define FILCH_SORT_NAME filch__sort_key32
#define FILCH_SORT_TYPE filch__key32
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

#define FILCH_SORT_NAME filch__sort_key64
#define FILCH_SORT_TYPE filch__key64
#define FILCH_SORT_LESS FILCH__BELOW
#include <filch/sort_template.h>

#define FILCH_SORT_STABLE_NAME filch__stable_sort_f32
#define FILCH_SORT_TYPE float
#define FILCH_SORT_LESS FILCH__BELOW_OR_NAN
#include <filch/sort_template.h>

#define FILCH_SORT_STABLE_NAME filch__stable_sort_f64
#define FILCH_SORT_TYPE double
#define FILCH_SORT_LESS FILCH__BELOW_OR_NAN
#include <filch/sort_template.h>

#ifdef __cplusplus
extern "C" {
#endif
void filch__sort_f32(float *a, size_t n, void (*sort)(void *keys, size_t n));
void filch__sort_f64(double *a, size_t n, void (*sort)(void *keys, size_t n));
bool filch__twins_f32(const float *a, size_t n);
bool filch__twins_f64(const double *a, size_t n);
#ifdef __cplusplus
}
#endif

#define FILCH__SORT_FLOATS(suffix, type, bits)                                           \
	__attribute__((unused)) static void filch__sort_keys_##suffix(void *a, size_t n) \
	{                                                                                \
		filch__sort_key##bits((filch__key##bits *)a, n);                         \
	}                                                                                \
                                                                                         \
	static inline void filch_sort_##suffix(type *a, size_t n)                        \
	{                                                                                \
		filch__sort_##suffix(a, n, filch__sort_keys_##suffix);                   \
	}                                                                                \
                                                                                         \
	static inline void filch_stable_sort_##suffix(type *a, size_t n)                 \
	{                                                                                \
		if (filch__twins_##suffix(a, n))                                         \
			filch__stable_sort_##suffix(a, n);                               \
		else                                                                     \
			filch_sort_##suffix(a, n);                                       \
	}

FILCH__SORT_FLOATS(f32, float, 32)
FILCH__SORT_FLOATS(f64, double, 64)

/* ---- prefix sums ---- */

/*
 * filch_scan_i32(const int32_t *in, int32_t *out, size_t n) and so on: out[i] becomes the sum
 * of in[0] to in[i]; with filch_scan_i32_exclusive(), the sum of everything before in[i]. out
 * may be in. Integers wrap around. Errors: -ECANCELED, -ENOMEM. filch/scan_template.h makes
 * functions for other types and operations.
 */
#define FILCH__SUM(a, b) ((a) + (b))
#define FILCH__SUM_I32(a, b) ((int32_t)((uint32_t)(a) + (uint32_t)(b)))
#define FILCH__SUM_I64(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))

#define FILCH_SCAN_NAME filch_scan_i32
#define FILCH_SCAN_TYPE int32_t
#define FILCH_SCAN_PLUS FILCH__SUM_I32
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME filch_scan_u32
#define FILCH_SCAN_TYPE uint32_t
#define FILCH_SCAN_PLUS FILCH__SUM
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME filch_scan_i64
#define FILCH_SCAN_TYPE int64_t
#define FILCH_SCAN_PLUS FILCH__SUM_I64
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME filch_scan_u64
#define FILCH_SCAN_TYPE uint64_t
#define FILCH_SCAN_PLUS FILCH__SUM
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME filch_scan_f32
#define FILCH_SCAN_TYPE float
#define FILCH_SCAN_PLUS FILCH__SUM
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME filch_scan_f64
#define FILCH_SCAN_TYPE double
#define FILCH_SCAN_PLUS FILCH__SUM
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

/* ---- the least, the greatest ---- */

/*
 * filch_min_i32(const int32_t *a, size_t n), filch_max_i32() and so on return the index of
 * the least, or greatest, number, the first one if several are equal; n if n is 0. NaNs are
 * passed over; if there is nothing but NaNs, the result is the first of them. -0.0 and 0.0
 * are equal. The functions run to the end even if the calling task is cancelled.
 */
#define FILCH__ABOVE(a, b) ((a) > (b))
#define FILCH__UNDER(a, b) ((a) < (b))

#define FILCH_BEST_NAME filch_min_i32
#define FILCH_BEST_TYPE int32_t
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST INT32_MAX
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_i32
#define FILCH_BEST_TYPE int32_t
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST INT32_MIN
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_min_u32
#define FILCH_BEST_TYPE uint32_t
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST UINT32_MAX
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_u32
#define FILCH_BEST_TYPE uint32_t
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST 0
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_min_i64
#define FILCH_BEST_TYPE int64_t
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST INT64_MAX
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_i64
#define FILCH_BEST_TYPE int64_t
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST INT64_MIN
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_min_u64
#define FILCH_BEST_TYPE uint64_t
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST UINT64_MAX
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_u64
#define FILCH_BEST_TYPE uint64_t
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST 0
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_min_f32
#define FILCH_BEST_TYPE float
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST __builtin_inff()
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_f32
#define FILCH_BEST_TYPE float
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST (-__builtin_inff())
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_min_f64
#define FILCH_BEST_TYPE double
#define FILCH_BEST_BEATS FILCH__UNDER
#define FILCH_BEST_WORST __builtin_inf()
#include <filch/best_template.h>

#define FILCH_BEST_NAME filch_max_f64
#define FILCH_BEST_TYPE double
#define FILCH_BEST_BEATS FILCH__ABOVE
#define FILCH_BEST_WORST (-__builtin_inf())
#include <filch/best_template.h>

#endif /* FILCH_OUT_OF_LINE */

#endif
