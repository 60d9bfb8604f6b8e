/* SPDX-License-Identifier: MIT */
/*
 * Hungry workers: how an algorithm lets them know that it has work for them. Spawns tell
 * no worker, and joins hear of hunger; this is for the passages between joins.
 */
#ifndef FILCH_ALGO_HUNGRY_H
#define FILCH_ALGO_HUNGRY_H

#include "base/cpu.h"
#include "sched/warm.h"
#include "strand/hunger.h"
#include "strand/worker.h"

/* Says that much work is to come, so that a worker that naps looks for it at once: a
 * worker that has found nothing for a while asks only now and then. Does nothing outside
 * a pool. */
void filch__hungry_call(void);

/* Hears of hungry workers, as a join does. Call it now and then in code without joins. */
static inline void filch__hungry_answer(void)
{
	if (FILCH_UNLIKELY(filch__hunger_is_shown()))
		filch__hear(filch__worker_self());
}

/* Gives tasks to workers that are awake. Call it when tasks were spawned that take some
 * microseconds, and no join comes soon. */
static inline void filch__hungry_give(void)
{
	if (filch__is_warm())
		filch__give(filch__worker_self());
}

#endif
