/* SPDX-License-Identifier: MIT */
/*
 * Large memory, on all cores: copying, filling, and the first touch, which decides on
 * which NUMA node a page lies.
 */
#ifndef FILCH_MEMORY_H
#define FILCH_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Do the work of memcpy() and memset(). Pages of `to` that were never touched before come
 * to lie on the nodes of the workers that write them, spread over all workers that take
 * part. */
void *filch_copy(void *to, const void *from, size_t n);
void *filch_fill(void *to, int byte, size_t n);

/* Touches the pages of fresh memory (from malloc, mmap), spread over the workers as by
 * filch_copy(), and does not change their contents. Caller: nothing else writes to the
 * memory meanwhile. */
void filch_touch(void *memory, size_t n);

#ifdef __cplusplus
}
#endif

#endif
