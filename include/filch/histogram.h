/* SPDX-License-Identifier: MIT */
/*
 * Counting by kind.
 *
 *   static int letters(size_t begin, size_t end, uint64_t *count, void *context)
 *   {
 *       const unsigned char *text = context;
 *
 *       for (size_t i = begin; i < end; i++)
 *           count[text[i]]++;
 *       return 0;
 *   }
 *
 *   filch_histogram(0, n, count, 256, letters, text);
 */
#ifndef FILCH_HISTOGRAM_H
#define FILCH_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the counts of the body to count[0] ... count[bins - 1]. The body is given pieces
 * of [begin, end) and an array of counts that no other call uses at the same time: the
 * caller's own array, or another one that is added to it afterwards. If there is no
 * memory for these arrays, fewer workers take part.
 * Errors: the nonzero result of a body, -ECANCELED: the counts are then those of a part
 * of the range; -EINVAL. */
int filch_histogram(size_t begin, size_t end, uint64_t *count, size_t bins,
                    int (*body)(size_t begin, size_t end, uint64_t *count, void *context),
                    void *context);

#ifdef __cplusplus
}
#endif

#endif
