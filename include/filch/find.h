/* SPDX-License-Identifier: MIT */
/*
 * Searching: the first element that fits, the least, the greatest.
 *
 *   static int zero(size_t begin, size_t end, size_t *found, void *context)
 *   {
 *       const int *a = context;
 *
 *       for (size_t i = begin; i < end; i++)
 *           if (!a[i]) {
 *               *found = i;
 *               break;
 *           }
 *       return 0;
 *   }
 *
 *   filch_find_first(0, n, &i, zero, a);       i is n if there is none
 */
#ifndef FILCH_FIND_H
#define FILCH_FIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts the first index that fits into *found, or `end` if there is none. The body is
 * given pieces, with *found == end of the piece, and writes the first index that fits
 * within the piece, if there is one. Pieces after an index that was found are left out,
 * except those that have begun.
 * Errors: the nonzero result of a body, unless an index was found before that piece, as
 * in a plain loop; -ECANCELED, -EINVAL. *found is then unchanged. */
int filch_find_first(size_t begin, size_t end, size_t *found,
                     int (*body)(size_t begin, size_t end, size_t *found, void *context),
                     void *context);

/* Return the index of the least, or greatest, of n elements of `size` bytes, the first
 * one if several are equal; n if n is 0. compare() is as for qsort_r(). Both run to the
 * end even if the calling task is cancelled. For plain numbers see filch/numbers.h. */
size_t filch_min(const void *base, size_t n, size_t size,
                 int (*compare)(const void *a, const void *b, void *context),
                 void *context);
size_t filch_max(const void *base, size_t n, size_t size,
                 int (*compare)(const void *a, const void *b, void *context),
                 void *context);

#ifdef __cplusplus
}
#endif

#endif
