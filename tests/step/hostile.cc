/* SPDX-License-Identifier: MIT */
/*
 * Hostile functions in C++: exceptions leave frames with spawned tasks, and joins stand in
 * catch blocks and destructors.
 */
#include <filch.h>
#include <stdexcept>

#include "tests/step/step.h"

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	STEP_RUN();
	return 3 * n + 1;
}

/* The spawned task is dropped or waited for, so whether it runs is open: it does not
 * count. */
FILCH_STATIC_TASK(long, dropped, (long, n))
{
	return n;
}

static void throws(long n)
{
	if (n >= 0)
		throw std::runtime_error("thrown by a step");
}

FILCH_STATIC_TASK(long, left_by_exception)
{
	long sum = 0;

	for (long i = 0; i < 2; i++)
		try {
			FILCH_SPAWN(x, dropped, i);
			throws(i);
			sum += FILCH_JOIN(x);
		} catch (const std::runtime_error &) {
			sum += 100;
		}
	return sum;
}

FILCH_STATIC_TASK(long, join_in_catch)
{
	long sum = 0;

	FILCH_SPAWN(x, leaf, 8);
	try {
		throws(1);
	} catch (const std::runtime_error &e) {
		sum += FILCH_JOIN(x) + e.what()[0];
		return sum;
	}
	return FILCH_JOIN(x);
}

struct guard {
	long *sum;

	~guard()
	{
		FILCH_SPAWN(x, leaf, *sum);
		*sum += 1;
		*sum += FILCH_JOIN(x);
	}
};

FILCH_STATIC_TASK(long, join_in_destructor)
{
	long sum = 2;

	try {
		guard g = {&sum};

		throws(0);
	} catch (...) {
		sum *= 10;
	}
	return sum;
}

#define HOSTILE(name) {#name, name, 0}
extern "C" const struct hostile hostile[] = {
	HOSTILE(left_by_exception),
	HOSTILE(join_in_catch),
	HOSTILE(join_in_destructor),
};
extern "C" const size_t hostiles = sizeof hostile / sizeof *hostile;
