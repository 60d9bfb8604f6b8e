/* SPDX-License-Identifier: MIT */
/*
 * What the test programs share: cmocka, a seed that is printed and can be set again,
 * sizes that follow the build.
 *
 * FILCH_SEED=N repeats a run's random choices; FILCH_SCALE=N multiplies the work of the
 * stress tests (tools/soak uses it).
 */
#ifndef FILCH_TESTS_TEST_H
#define FILCH_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/random.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || \
	defined(FILCH_COVERAGE)
#define TEST_SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define TEST_SLOW_BUILD 1
#endif
#endif
#ifndef TEST_SLOW_BUILD
#define TEST_SLOW_BUILD 0
#endif

/* qemu has no threads in the child of a process that has some. */
#ifndef TEST_EMULATED
#define TEST_EMULATED 0
#endif

static inline uint64_t test_number(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

/* The run's seed, from FILCH_SEED or the clock; printed once. */
static inline uint64_t test_seed(void)
{
	static uint64_t seed;

	if (!seed) {
		seed = test_number("FILCH_SEED", filch__now_ns() | 1);
		printf("seed: FILCH_SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout);
	}
	return seed;
}

/* `n`, a quarter of it in builds that watch every step, times FILCH_SCALE. */
static inline size_t test_scaled(size_t n)
{
	return (TEST_SLOW_BUILD ? n / 4 : n) * (size_t)test_number("FILCH_SCALE", 1);
}

#endif
