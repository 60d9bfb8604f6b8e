/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the simulated machine share: a machine of two packages with two caches
 * each, for four cores each; threads bound to a core.
 */
#ifndef FILCH_TESTS_SIM_MACHINE_H
#define FILCH_TESTS_SIM_MACHINE_H

#include "base/thread.h"
#include "sim/cache.h"
#include "tests/test.h"

#define TEST_CORES 16
#define TEST_TOPOLOGY "package:2 l3:2 core:4 pu:1"

#define TEST_SITE(name)                                                      \
	{                                                                    \
		.file = __FILE__, .line = __LINE__, .op = (name), .what = "" \
	}

/* Simulates fn(NULL) on such a machine. cmocka's assertions must not be used within. */
static inline void test_simulate(const struct sim_costs *costs, void *(*fn)(void *))
{
	struct sim_machine m = {.costs = *costs};

	assert_true(sim_machine_init(&m, TEST_CORES, TEST_TOPOLOGY));
	sim_cache_clear();
	sim_run(&m, fn, NULL);
	sim_machine_destroy(&m);
}

/* Starts a simulated thread that runs on this core alone. */
static inline struct filch__thread test_thread(unsigned core, void *(*fn)(void *),
                                               void *arg)
{
	struct filch__thread t;
	cpu_set_t set;

	filch__thread_start(&t, fn, arg);
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	filch__thread_bind(&t, &set);
	return t;
}

/* Computes until that time, in nanoseconds. */
static inline void test_work_until(uint64_t ns)
{
	if (sim_now() < ns)
		sim_work(ns - sim_now());
}

/* Asserts that two numbers differ by this much at most. */
#define TEST_CLOSE(a, b, within)                                          \
	do {                                                              \
		double a_ = (a), b_ = (b);                                \
                                                                          \
		if (a_ < b_ - (within) || a_ > b_ + (within))             \
			fail_msg("%s is %g, but must be %g", #a, a_, b_); \
	} while (0)

#endif
