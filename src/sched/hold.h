/* SPDX-License-Identifier: MIT */
/*
 * Two counts keep a pool from being destroyed: of tasks that it has not finished, and of
 * threads outside that are still waking one of its strands.
 */
#ifndef FILCH_SCHED_HOLD_H
#define FILCH_SCHED_HOLD_H

#include "sched/seat.h"

/* Counts a task of the pool that runs or waits, until filch__pool_release(). */
static inline void filch__pool_hold(struct filch_pool *pool)
{
	add_rlx(&pool->live, 1); /* the caller knows that the pool exists */
}

static inline void filch__pool_release(struct filch_pool *pool)
{
	uint64_t was;

	/* S12 release: pairs with the acquire in filch__pool_is_held(); carries what was
	 * done with the pool. */
	was = add_rel(&pool->live, UINT64_MAX);
	assert(was > 0);
	(void)was;
}

static inline bool filch__pool_is_held(struct filch_pool *pool)
{
	/* S12 acquire: pairs with the release in filch__pool_release(); carries what
	 * others did with the pool. */
	return load_acq(&pool->live);
}

/* A thread outside calls these before and after it wakes a strand of the pool. Caller of
 * the first: knows of a task that runs or waits there. */
static inline void filch__guest_come(struct filch_pool *pool)
{
	add_rlx(&pool->guests, 1); /* see above: nobody destroys it now */
}

static inline void filch__guest_go(struct filch_pool *pool)
{
	uint32_t was;

	/* S14 release: pairs with the acquire in filch__pool_has_guests(); carries what
	 * was done with the pool. */
	was = add_rel(&pool->guests, UINT32_MAX);
	assert(was > 0);
	(void)was;
}

static inline bool filch__pool_has_guests(struct filch_pool *pool)
{
	/* S14 acquire: pairs with the release in filch__guest_go(); carries what the
	 * guests did with the pool. */
	return load_acq(&pool->guests);
}

#endif
