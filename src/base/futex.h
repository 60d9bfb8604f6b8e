/* SPDX-License-Identifier: MIT */
/*
 * Sleeping until a word changes.
 */
#ifndef FILCH_BASE_FUTEX_H
#define FILCH_BASE_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"

/* Sleeps until woken, if *p is `expected` when the kernel looks. May also return for no
 * reason: the caller must look at the word again. */
static inline void filch__futex_wait(_Atomic(uint32_t) *p, uint32_t expected)
{
	syscall(SYS_futex, p, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

/* Does the same, for at most `ns` nanoseconds. */
static inline void filch__futex_wait_for(_Atomic(uint32_t) *p, uint32_t expected,
                                         uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

	syscall(SYS_futex, p, FUTEX_WAIT_PRIVATE, expected, &t, NULL, 0);
}

/* Wakes up to n of the threads that sleep on p. */
static inline void filch__futex_wake(_Atomic(uint32_t) *p, int n)
{
	syscall(SYS_futex, p, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

#endif
