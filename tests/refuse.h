/* SPDX-License-Identifier: MIT */
/*
 * For tests in which memory, mappings and threads are refused: the n-th call, or all from
 * the n-th on.
 *
 *   REFUSE__wrap_malloc(refused());
 *
 * defines __wrap_malloc(), which refuses when the condition says so. The name is spelt out
 * like this because CMakeLists.txt looks for it in the source of the test, and has the
 * linker put it in the place of malloc().
 */
#ifndef FILCH_TESTS_REFUSE_H
#define FILCH_TESTS_REFUSE_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/atomic.h"

#define NEVER (1L << 40)

static _Atomic(long) calls_left = NEVER; /* before one is refused */
static _Atomic(int) all_after;           /* and all after it */
static _Atomic(long) refusals;

static inline bool refused(void)
{
	long left = add_rlx(&calls_left, -1); /* a count */

	if (left > 0 || (left < 0 && !load_rlx(&all_after))) /* set before */
		return false;
	add_rlx(&refusals, 1); /* a count */
	errno = ENOMEM;
	return true;
}

/* From now on; `n` calls are let through. */
static inline void refuse_after(long n, bool all)
{
	store_rlx(&refusals, 0);    /* read when all is done */
	store_rlx(&all_after, all); /* before the count */
	store_rlx(&calls_left, n);  /* at any time */
}

static inline void refuse_none(void)
{
	refuse_after(NEVER, false);
}

/* ---- what may be refused ---- */

#define REFUSE(when, result, failed, name, parameters, arguments)   \
	result __real_##name parameters;                            \
	result __wrap_##name parameters;                            \
	result __wrap_##name parameters                             \
	{                                                           \
		return (when) ? (failed) : __real_##name arguments; \
	}                                                           \
	_Static_assert(1, "so that a semicolon may follow")

#define REFUSE__wrap_malloc(when) \
	REFUSE(when, void *, NULL, malloc, (size_t size), (size))
#define REFUSE__wrap_calloc(when) \
	REFUSE(when, void *, NULL, calloc, (size_t n, size_t size), (n, size))
#define REFUSE__wrap_realloc(when) \
	REFUSE(when, void *, NULL, realloc, (void *p, size_t size), (p, size))
#define REFUSE__wrap_aligned_alloc(when)                                       \
	REFUSE(when, void *, NULL, aligned_alloc, (size_t align, size_t size), \
	       (align, size))
#define REFUSE__wrap_mmap(when)                                                        \
	REFUSE(when, void *, MAP_FAILED, mmap,                                         \
	       (void *at, size_t size, int protection, int flags, int fd, off_t from), \
	       (at, size, protection, flags, fd, from))
#define REFUSE__wrap_pthread_create(when)                                                \
	REFUSE(when, int, EAGAIN, pthread_create,                                        \
	       (pthread_t * t, const pthread_attr_t *a, void *(*fn)(void *), void *arg), \
	       (t, a, fn, arg))

#endif
