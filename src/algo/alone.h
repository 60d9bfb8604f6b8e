/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a call, which the caller does alone: it offers nothing, since most
 * calls are over before another worker could be of help. The pieces grow, unless the
 * result depends on their size; then the caller does fewer than a.n iterations each time.
 * See README.md, "Pace".
 *
 *   filch__alone_begin(&a, all, 1);
 *   while (filch__alone_goes_on(&a)) {
 *       n = do up to a.n iterations
 *       filch__alone_did(&a, n);
 *   }
 *   what is left is offered
 */
#ifndef FILCH_ALGO_ALONE_H
#define FILCH_ALGO_ALONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algo/pace.h"

/* Pieces grow until they take this long. */
#define FILCH__ALONE_PIECE_US 4

struct filch__alone {
	size_t n;             /* iterations that the next piece should have */
	size_t done, all;     /* iterations; done <= all */
	uint64_t start, last; /* ticks: when the first piece began, when the last ended */
};

/* `all` iterations are to be done, the first n of them in one piece. */
void filch__alone_begin(struct filch__alone *a, size_t all, size_t n);

/* True if the caller should do another piece alone: something is left to do, but it is
 * not worth offering yet. */
static inline bool filch__alone_goes_on(const struct filch__alone *a)
{
	return a->done < a->all &&
	       !filch__pace_is_worth(a->done, a->all, a->last - a->start);
}

/* The caller has done a piece of n iterations. */
void filch__alone_did(struct filch__alone *a, size_t n);

/* All of the above for a range: calls piece() for pieces of [begin, end), one after the
 * other, and returns where the part begins that is worth offering, or `end` if there is
 * none. *n is the number of iterations of the first piece, and afterwards that of a piece
 * that takes some microseconds. *result is the last result of piece(), or -ECANCELED; a
 * nonzero result ends the whole range. */
size_t filch__alone(size_t begin, size_t end,
                    int (*piece)(size_t begin, size_t end, void *context), void *context,
                    size_t *n, int *result);

#endif
