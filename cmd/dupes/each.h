/* SPDX-License-Identifier: MIT */
/*
 * A loop over items of which some wait for the disk: when one does, its worker begins
 * another. filch_for() would begin as many as there are, each with a stack and a buffer;
 * here so many lanes take one item after the other.
 */
#ifndef FILCH_CMD_DUPES_EACH_H
#define FILCH_CMD_DUPES_EACH_H

#include <stddef.h>

/* Calls body(i, scratch, context) for all i below n, in any order; `scratch` are `size`
 * bytes of the lane's own, not initialised. */
void each(size_t n, size_t lanes, size_t size,
          void (*body)(size_t i, void *scratch, void *context), void *context);

#endif
