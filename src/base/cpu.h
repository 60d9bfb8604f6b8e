/* SPDX-License-Identifier: MIT */
/*
 * Things that the compiler and the processor must be told: cache lines, cold paths,
 * spinning.
 */
#ifndef FILCH_BASE_CPU_H
#define FILCH_BASE_CPU_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* The line size, for keeping apart data that different threads write. Intel fetches lines
 * in pairs, but the pair is not invalidated together, so one line is enough. */
#define FILCH_LINE 64

#define FILCH_NOINLINE __attribute__((noinline))
#define FILCH_COLD __attribute__((noinline, cold))
#define FILCH_LIKELY(x) __builtin_expect(!!(x), 1)
#define FILCH_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Prefetches the lines of this memory, to be written soon. The memory may be gone. */
static inline void filch__fetch(const void *at, size_t size)
{
	for (size_t i = 0; i < size; i += FILCH_LINE)
		__builtin_prefetch((const char *)at + i, 1);
}

/* Tells the processor that this is a spin loop. */
static inline void filch__relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

/* Keeps the compiler from moving accesses to memory across this point: a signal handler of
 * the same thread sees those before it done, and those after it not begun. */
static inline void filch__signal_fence(void)
{
	__asm__ volatile("" ::: "memory");
}

#endif
