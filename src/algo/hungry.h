/* SPDX-License-Identifier: MIT */
/*
 * Hungry workers: how an algorithm lets them know that it has work for them. Spawns tell
 * no worker, and joins answer the workers that poll; this is for the passages between
 * joins.
 */
#ifndef FILCH_ALGO_HUNGRY_H
#define FILCH_ALGO_HUNGRY_H

#include <filch/detail/record.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "strand/worker.h"

/* Says that much work is to come, so that a worker that naps looks for it at once: a
 * worker that has found nothing for a while asks only now and then. Does nothing outside
 * a pool. */
void filch__hungry_call(void);

/* Answers the workers that poll. Call it now and then in code without joins. */
static inline void filch__hungry_answer(void)
{
	_Atomic(uint32_t) *shift = (_Atomic(uint32_t) *)&filch__shift;

	if (FILCH_UNLIKELY(load_rlx(shift) != FILCH__CALM)) /* polled */
		filch__answer_poll(filch__worker_self());
}

#endif
