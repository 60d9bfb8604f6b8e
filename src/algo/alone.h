/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a range, by the caller alone, where the size of pieces does not matter
 * for the result: most calls are over before anybody else could be of help.
 */
#ifndef FILCH_ALGO_ALONE_H
#define FILCH_ALGO_ALONE_H

#include <stddef.h>

/* Pieces are made larger unless they take so long. */
#define FILCH__ALONE_PIECE_US 4

/* Calls piece() for pieces of [begin, end), one after the other: first of *n indices, then of
 * more and more, until some microseconds have passed, and many are left to do. Returns where it goes on, which is
 * `end` if it does not; *n is then how many take some microseconds. *result is what piece()
 * returned last, or -ECANCELED; not zero ends it. */
size_t filch__alone(size_t begin, size_t end,
                    int (*piece)(size_t begin, size_t end, void *context), void *context,
                    size_t *n, int *result);

#endif
