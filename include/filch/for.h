/* SPDX-License-Identifier: MIT */
/*
 * Loops on all cores.
 *
 *   static int scale(size_t begin, size_t end, void *context)
 *   {
 *       struct image *im = context;
 *
 *       for (size_t i = begin; i < end; i++)
 *           im->pixel[i] *= im->factor;
 *       return 0;
 *   }
 *
 *   filch_for(0, im.n, scale, &im);
 *
 * A body is given a piece of the range, so that the compiler sees a plain loop. The size
 * of the pieces is found at run time: small enough that work can be divided when a worker
 * is hungry, large enough that dividing costs nothing. Pieces run at the same time and in
 * any order.
 *
 * A body may do anything that a task may: wait, spawn, call these functions again. A
 * nonzero result ends the loop: pieces that have not begun are left out, and the call
 * returns that result, the first one if there are several. If the calling task belongs to
 * a group that is cancelled, the loop ends with -ECANCELED.
 *
 * Everything here may be called from any thread. It runs on the calling task's pool, or,
 * if the caller is not a task, on the default pool. A loop that takes less than about
 * 200 us runs on the calling thread alone, so that it costs no more than a plain loop.
 */
#ifndef FILCH_FOR_H
#define FILCH_FOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls the body for pieces that make up [begin, end).
 * Errors: the nonzero result of a body; -ECANCELED; -EINVAL: begin is above end, or there
 * is no body. */
int filch_for(size_t begin, size_t end,
              int (*body)(size_t begin, size_t end, void *context), void *context);

/* The same with a hint: pieces of `grain` iterations (the last may be shorter), however
 * long they take. A grain of 0 gives no hint. */
int filch_for_grain(size_t begin, size_t end, size_t grain,
                    int (*body)(size_t begin, size_t end, void *context), void *context);

/* A piece of a plane. */
struct filch_tile {
	size_t row, row_end;
	size_t column, column_end;
};

/* Calls the body for tiles that make up rows times columns. Tiles are halved along their
 * longer side, so that they stay compact; but rows are not cut into pieces of fewer than
 * 512 columns while a tile has several rows.
 * Errors: as filch_for(); -EINVAL: there is no body, or rows times columns is beyond
 * size_t. */
int filch_for_2d(size_t rows, size_t columns,
                 int (*body)(const struct filch_tile *tile, void *context),
                 void *context);

/* The same with a hint: tiles are divided until they have at most grain_rows rows and
 * grain_columns columns, and no further. If both are 0, there is no hint; if only one is,
 * the result is -EINVAL. */
int filch_for_2d_grain(size_t rows, size_t columns, size_t grain_rows,
                       size_t grain_columns,
                       int (*body)(const struct filch_tile *tile, void *context),
                       void *context);

/* Calls both functions, at the same time if a worker is hungry, and returns when both
 * have returned. */
void filch_both(void (*one)(void *context), void *one_context,
                void (*other)(void *context), void *other_context);

#ifdef __cplusplus
}
#endif

#endif
