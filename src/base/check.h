/* SPDX-License-Identifier: MIT */
/*
 * Walkers: functions named filch__..._check() that assert a struct's invariants, as its
 * folder's README numbers them. Builds with asserts call them at transitions, by
 * FILCH__CHECK; tests call them directly. The model checker leaves them out, since each
 * access in them is one more place to switch threads at.
 */
#ifndef FILCH_BASE_CHECK_H
#define FILCH_BASE_CHECK_H

#include <stddef.h>

#ifndef FILCH__DEBUG
#ifdef NDEBUG
#define FILCH__DEBUG 0
#else
#define FILCH__DEBUG 1
#endif
#endif

/* How many entries of a long list a walker looks at. */
#define FILCH__CHECK_MOST ((size_t)16)

#define FILCH__CHECK(call)        \
	do {                      \
		if (FILCH__DEBUG) \
			(call);   \
	} while (0)

#endif
