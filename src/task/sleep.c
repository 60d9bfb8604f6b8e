/* SPDX-License-Identifier: MIT */
/*
 * The clock, and waiting for a time.
 */
#include <assert.h>
#include <errno.h>
#include <filch/time.h>
#include <time.h>

#include "base/clock.h"
#include "wait/keep.h"
#include "wait/wait.h"

uint64_t filch_now(void)
{
	return filch__now_ns();
}

uint64_t filch_after(uint64_t ns)
{
	uint64_t now = filch__now_ns();

	return ns > FILCH_NEVER - now ? FILCH_NEVER : now + ns;
}

int filch_sleep_until(uint64_t deadline)
{
	int r = filch__wait(NULL, 0, deadline, true);

	assert(r == -ETIMEDOUT || r == -ECANCELED); /* no list can claim this wait */
	return r == -ETIMEDOUT ? 0 : r;
}

int filch_sleep(uint64_t ns)
{
	return filch_sleep_until(filch_after(ns));
}

void filch_yield(void)
{
	filch__yield_worker();
}
