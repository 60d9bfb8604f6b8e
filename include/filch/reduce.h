/* SPDX-License-Identifier: MIT */
/*
 * One result of many values.
 *
 *   static int add(size_t begin, size_t end, void *result, void *context)
 *   {
 *       const double *a = context;
 *       double sum = *(double *)result;
 *
 *       for (size_t i = begin; i < end; i++)
 *           sum += a[i];
 *       *(double *)result = sum;
 *       return 0;
 *   }
 *
 *   static void plus(void *left, const void *right, void *context)
 *   {
 *       *(double *)left += *(const double *)right;
 *   }
 *
 *   double sum = 0;
 *   filch_reduce(0, n, &sum, sizeof sum, add, plus, a);
 *
 * The range is divided into leaves whose size depends on the length of the range alone,
 * and neighbours are combined in the order of a binary tree over these leaves: the result
 * is the same, to the last bit, for any number of workers. The operation must be
 * associative; it need not commute.
 */
#ifndef FILCH_REDUCE_H
#define FILCH_REDUCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reduces [begin, end). The caller sets *result, of `size` bytes, to the identity; each
 * leaf begins with a copy of it, to which the body adds its piece. combine() adds the
 * right result to the left one.
 * Errors: the nonzero result of a body, -ECANCELED, -ENOMEM (results of more than 256
 * bytes), -EINVAL; *result is then unchanged. */
int filch_reduce(size_t begin, size_t end, void *result, size_t size,
                 int (*body)(size_t begin, size_t end, void *result, void *context),
                 void (*combine)(void *left, const void *right, void *context),
                 void *context);

/* The same with a hint: `grain` iterations per leaf. The order of combination depends on
 * it. A grain of 0 gives no hint. */
int filch_reduce_grain(size_t begin, size_t end, size_t grain, void *result, size_t size,
                       int (*body)(size_t begin, size_t end, void *result, void *context),
                       void (*combine)(void *left, const void *right, void *context),
                       void *context);

#ifdef __cplusplus
}
#endif

#endif
