/* SPDX-License-Identifier: MIT */
#include "sched/warm.h"

#include <stdalign.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"

#define WARM_NS 10000    /* how long it counts as being there, after it said so */
#define WANTED_NS 200000 /* how long it stays, after it was wanted */

/* When a worker that lingers last said so, and when a worker was last wanted that does. */
static struct {
	alignas(FILCH_LINE) _Atomic(uint64_t) lingered;
	alignas(FILCH_LINE) _Atomic(uint64_t) wanted;
} warm;

/* Writes the time only now and then, since others read it. */
static void say(_Atomic(uint64_t) *when, uint64_t now, uint64_t pause)
{
	if (now - load_rlx(when) > pause) /* a hint */
		store_rlx(when, now);     /* a hint */
}

void filch__say_warm(uint64_t now)
{
	say(&warm.lingered, now, WARM_NS / 2);
}

bool filch__is_warm(void)
{
	return filch__now_ns() - load_rlx(&warm.lingered) < WARM_NS; /* a hint */
}

void filch__want_warm(void)
{
	say(&warm.wanted, filch__now_ns(), WANTED_NS / 4);
}

bool filch__is_warm_wanted(uint64_t now)
{
	return now - load_rlx(&warm.wanted) < WANTED_NS; /* a hint */
}
