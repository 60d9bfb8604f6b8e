/* SPDX-License-Identifier: MIT */
/*
 * Sorting, with the signature of qsort_r().
 *
 *   filch_sort(people, n, sizeof *people, by_age, NULL);
 *
 * filch/numbers.h has filch_sort_i32(), filch_sort_f64() and others; filch/sort_template.h
 * makes such a function for any type and order. In these the compiler sees the comparison,
 * which makes them several times as fast.
 *
 * compare() may run on several threads at once. If it contradicts itself, the order is
 * undefined, but nothing outside the array is touched, no element is lost, and the call
 * returns.
 */
#ifndef FILCH_SORT_H
#define FILCH_SORT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts n elements of `size` bytes. This needs memory for a copy of them; without it, the
 * elements are sorted in place, which takes longer. */
void filch_sort(void *base, size_t n, size_t size,
                int (*compare)(const void *a, const void *b, void *context),
                void *context);

/* The same, but elements that are equal keep their order. */
void filch_stable_sort(void *base, size_t n, size_t size,
                       int (*compare)(const void *a, const void *b, void *context),
                       void *context);

#ifdef __cplusplus
}
#endif

#endif
