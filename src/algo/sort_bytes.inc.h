/* SPDX-License-Identifier: MIT */
/*
 * A type of elements of BYTES bytes, and a merge sort of these. sort.c includes this file
 * once for each size, with BYTES defined.
 */
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

struct JOIN(bytes, BYTES) {
	unsigned char b[BYTES];
} __attribute__((may_alias));

#define FILCH_SORT_STABLE_NAME JOIN(sort, BYTES)
#define FILCH_SORT_TYPE struct JOIN(bytes, BYTES)
#define FILCH_SORT_CONTEXT const struct order *
#define FILCH_SORT_LESS LESS
#define FILCH_SORT_GRAIN GRAIN
#include <filch/sort_template.h>

#undef JOINED
#undef JOIN
#undef BYTES
