/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of any associative operation.
 *
 * filch/numbers.h has filch_scan_i64(in, out, n), filch_scan_i64_exclusive(in, out, n)
 * and so on for sums of numbers; filch/scan_template.h makes such functions for any type
 * and operation. All of these are made of the function below, which hands out pieces of
 * the range to a loop that the user writes.
 *
 *   static int prefix(size_t begin, size_t end, const void *before, void *sum,
 *                     void *context)
 *   {
 *       struct job *j = context;
 *       long s = *(long *)sum;
 *
 *       if (!before)
 *           for (size_t i = begin; i < end; i++)
 *               s += j->in[i];
 *       else
 *           for (size_t i = begin; i < end; i++) {
 *               s += j->in[i];
 *               j->out[i] = *(const long *)before + s;     inclusive
 *           }
 *       *(long *)sum = s;
 *       return 0;
 *   }
 *
 * Each piece is read from memory once. The size of the pieces depends on the length of
 * the range alone, so that the results are the same, to the last bit, for any number of
 * workers.
 */
#ifndef FILCH_SCAN_H
#define FILCH_SCAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Scans [begin, end). The caller sets *sum, of `size` bytes (at most 256), to the
 * identity; it is the sum of everything when the call returns. The body is called with a
 * copy of the identity in *sum, to which it adds its piece, once or twice per piece:
 *   before == NULL   it only adds
 *   otherwise        it also writes the results, each of which is *before combined with
 *                    *sum as it stands there; it must leave *sum the same in both cases
 * combine() adds the right sum to the left one.
 * Errors: the nonzero result of a body, -ECANCELED, -ENOMEM, -EINVAL; *sum is then
 * unchanged, but results that the body wrote stay written. */
int filch_scan(size_t begin, size_t end, void *sum, size_t size,
               int (*body)(size_t begin, size_t end, const void *before, void *sum,
                           void *context),
               void (*combine)(void *left, const void *right, void *context),
               void *context);

/* The same with a hint: `grain` iterations per piece. A grain of 0 gives no hint. */
int filch_scan_grain(size_t begin, size_t end, size_t grain, void *sum, size_t size,
                     int (*body)(size_t begin, size_t end, const void *before, void *sum,
                                 void *context),
                     void (*combine)(void *left, const void *right, void *context),
                     void *context);

#ifdef __cplusplus
}
#endif

#endif
