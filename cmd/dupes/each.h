/* SPDX-License-Identifier: MIT */
/*
 * A loop over items of which some wait for the disk: while one waits, its worker
 * continues with another. filch_for() would begin all of them, each with a stack and a
 * buffer; here a fixed number of lanes take one item after the other.
 */
#ifndef FILCH_CMD_DUPES_EACH_H
#define FILCH_CMD_DUPES_EACH_H

#include <stddef.h>

/* Calls body(i, scratch, context) for all i below n, in any order. `scratch` is a buffer
 * of `size` bytes that belongs to the lane; it is not initialised. */
void each(size_t n, size_t lanes, size_t size,
          void (*body)(size_t i, void *scratch, void *context), void *context);

#endif
