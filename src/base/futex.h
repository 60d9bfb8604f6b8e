/* SPDX-License-Identifier: MIT */
/*
 * Sleeping until a word changes.
 */
#ifndef FILCH_BASE_FUTEX_H
#define FILCH_BASE_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"

/* Sleeps until woken, if *p is `expected` when the kernel looks. May also return for no
 * reason: the caller looks at the word again. */
static inline void filch__futex_wait(_Atomic(uint32_t) *p, uint32_t expected)
{
	syscall(SYS_futex, p, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

/* Wakes up to n of those that sleep on p. */
static inline void filch__futex_wake(_Atomic(uint32_t) *p, int n)
{
	syscall(SYS_futex, p, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

#endif
