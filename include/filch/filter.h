/* SPDX-License-Identifier: MIT */
/*
 * Keeping some elements, and moving some to the front.
 *
 *   static int positive(size_t begin, size_t end, void *out, size_t *kept, void *context)
 *   {
 *       const int *a = context;
 *       int *o = out;
 *
 *       for (size_t i = begin; i < end; i++)
 *           if (a[i] > 0)
 *               *o++ = a[i];
 *       *kept = (size_t)(o - (int *)out);
 *       return 0;
 *   }
 *
 *   filch_filter(0, n, out, sizeof *out, &kept, positive, a);
 */
#ifndef FILCH_FILTER_H
#define FILCH_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts the elements that the body keeps of [begin, end) into out, in order, and their
 * number into *kept. The body writes the elements that it keeps of its piece to its own
 * `out`, and their number to its own *kept, which is 0 before the call. That `out` has
 * room for as many elements of `size` bytes as the piece has; the body may write to all
 * of it. The caller's out must have room for end - begin elements, all of which may be
 * written to; so it cannot be the array that is filtered. If there is no memory for
 * intermediate results, the call does without, perhaps with fewer workers.
 * Errors: the nonzero result of a body, -ECANCELED, -EINVAL; *kept is then unchanged, and
 * the contents of out are undefined. */
int filch_filter(size_t begin, size_t end, void *out, size_t size, size_t *kept,
                 int (*body)(size_t begin, size_t end, void *out, size_t *kept,
                             void *context),
                 void *context);

/* Moves the elements for which first() returns true before the others, and returns their
 * number. The order among them is not kept, but does not depend on the number of workers.
 * first() is called once for each element, where it lies in the array, and may not look
 * at other elements. The call runs to the end even if the calling task is cancelled, and
 * allocates no memory. */
size_t filch_partition(void *base, size_t n, size_t size,
                       bool (*first)(const void *element, void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
