/* SPDX-License-Identifier: MIT */
/*
 * Two clocks: nanoseconds for durations, ticks for intervals too short for a system call.
 */
#ifndef FILCH_BASE_CLOCK_H
#define FILCH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds on a clock that never goes back. */
static inline uint64_t filch__now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The processor's own counter; its rate is found by filch__ticks_per_ns(). */
static inline uint64_t filch__ticks(void)
{
#if defined(__x86_64__)
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return filch__now_ns();
#endif
}

/* Measures the rate of filch__ticks() against the system clock for about 10 ms. */
double filch__ticks_per_ns(void);

/* How many ticks a microsecond has, roughly and at no cost: good enough to tell short
 * from long. */
static inline uint64_t filch__ticks_per_us(void)
{
#if defined(__x86_64__)
	return 2500; /* processors with an invariant counter run at 1.5 to 4 GHz */
#elif defined(__aarch64__)
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz / 1000000 + 1;
#else
	return 1000; /* filch__ticks() counts nanoseconds */
#endif
}

#endif
