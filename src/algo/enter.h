/* SPDX-License-Identifier: MIT */
/*
 * From wherever the caller is into a pool; and what a loop does there for others.
 */
#ifndef FILCH_ALGO_ENTER_H
#define FILCH_ALGO_ENTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "sched/expose.h"
#include "sched/worker.h"

/* True if the caller is in a task of a pool. */
bool filch__inside(void);

/* Says that there is much to come: a worker that naps looks for it at once. Spawns alone tell
 * nobody, and who has found nothing for a while asks only now and then. */
void filch__call_help(void);

/* Calls f: here if the caller is in a task, and calls for help, else as a task of the default
 * pool; here, too, if there can be no default pool. */
void filch__enter_pool(void (*f)(void *context), void *context);

/* Joins answer those who poll. To be called now and then where there are none. */
static inline void filch__answer_polls(void)
{
	_Atomic(uint32_t) *expected = (_Atomic(uint32_t) *)&filch__expected;

	if (FILCH_UNLIKELY(load_rlx(expected) != FILCH__MINUS_LIVE)) /* polled */
		filch__answer_poll(filch__worker_self());
}

/* About so many ticks a microsecond: good enough to tell short from long. */
uint64_t filch__ticks_per_us(void);

/* What a caller does itself before it offers anything to others, and what must then be left
 * to do: a theft costs both sides some microseconds, and its data are elsewhere. */
#define FILCH__ALONE_US 20
#define FILCH__SHARED_US 200

/* True if a caller who has done so many of `all` in so many ticks offers the rest. */
static inline bool filch__is_worth(size_t done, size_t all, uint64_t ticks)
{
	uint64_t us = filch__ticks_per_us();

	return ticks >= FILCH__ALONE_US * us &&
	       (double)ticks * (double)(all - done) >=
	               (double)(FILCH__SHARED_US * us) * (double)done;
}

#endif
