/* SPDX-License-Identifier: MIT */
/*
 * Defines a symbol of the same name for each function of filch/numbers.h, for other
 * languages. In that header the functions are static, so they get other names here before
 * it is included.
 */
/* clang-format off */
#define filch_sort_i32 filch__inline_sort_i32
#define filch_sort_u32 filch__inline_sort_u32
#define filch_sort_i64 filch__inline_sort_i64
#define filch_sort_u64 filch__inline_sort_u64
#define filch_sort_f32 filch__inline_sort_f32
#define filch_sort_f64 filch__inline_sort_f64
#define filch_stable_sort_i32 filch__inline_stable_sort_i32
#define filch_stable_sort_u32 filch__inline_stable_sort_u32
#define filch_stable_sort_i64 filch__inline_stable_sort_i64
#define filch_stable_sort_u64 filch__inline_stable_sort_u64
#define filch_stable_sort_f32 filch__inline_stable_sort_f32
#define filch_stable_sort_f64 filch__inline_stable_sort_f64
#define filch_scan_i32 filch__inline_scan_i32
#define filch_scan_u32 filch__inline_scan_u32
#define filch_scan_i64 filch__inline_scan_i64
#define filch_scan_u64 filch__inline_scan_u64
#define filch_scan_f32 filch__inline_scan_f32
#define filch_scan_f64 filch__inline_scan_f64
#define filch_min_i32 filch__inline_min_i32
#define filch_min_u32 filch__inline_min_u32
#define filch_min_i64 filch__inline_min_i64
#define filch_min_u64 filch__inline_min_u64
#define filch_min_f32 filch__inline_min_f32
#define filch_min_f64 filch__inline_min_f64
#define filch_max_i32 filch__inline_max_i32
#define filch_max_u32 filch__inline_max_u32
#define filch_max_i64 filch__inline_max_i64
#define filch_max_u64 filch__inline_max_u64
#define filch_max_f32 filch__inline_max_f32
#define filch_max_f64 filch__inline_max_f64
/* clang-format on */
#include <filch/numbers.h>
/* clang-format off */
#undef filch_sort_i32
#undef filch_sort_u32
#undef filch_sort_i64
#undef filch_sort_u64
#undef filch_sort_f32
#undef filch_sort_f64
#undef filch_stable_sort_i32
#undef filch_stable_sort_u32
#undef filch_stable_sort_i64
#undef filch_stable_sort_u64
#undef filch_stable_sort_f32
#undef filch_stable_sort_f64
#undef filch_scan_i32
#undef filch_scan_u32
#undef filch_scan_i64
#undef filch_scan_u64
#undef filch_scan_f32
#undef filch_scan_f64
#undef filch_min_i32
#undef filch_min_u32
#undef filch_min_i64
#undef filch_min_u64
#undef filch_min_f32
#undef filch_min_f64
#undef filch_max_i32
#undef filch_max_u32
#undef filch_max_i64
#undef filch_max_u64
#undef filch_max_f32
#undef filch_max_f64
/* clang-format on */

#define DEFINE(suffix, type)                                                     \
	void filch_sort_##suffix(type *a, size_t n)                              \
	{                                                                        \
		filch__inline_sort_##suffix(a, n);                               \
	}                                                                        \
	void filch_stable_sort_##suffix(type *a, size_t n)                       \
	{                                                                        \
		filch__inline_stable_sort_##suffix(a, n);                        \
	}                                                                        \
	int filch_scan_##suffix(const type *in, type *out, size_t n)             \
	{                                                                        \
		return filch__inline_scan_##suffix(in, out, n);                  \
	}                                                                        \
	int filch_scan_##suffix##_exclusive(const type *in, type *out, size_t n) \
	{                                                                        \
		return filch__inline_scan_##suffix##_exclusive(in, out, n);      \
	}                                                                        \
	size_t filch_min_##suffix(const type *a, size_t n)                       \
	{                                                                        \
		return filch__inline_min_##suffix(a, n);                         \
	}                                                                        \
	size_t filch_max_##suffix(const type *a, size_t n)                       \
	{                                                                        \
		return filch__inline_max_##suffix(a, n);                         \
	}

FILCH_NUMBERS(FILCH__NUMBERS_DECLARE)
FILCH_NUMBERS(DEFINE)
