/* SPDX-License-Identifier: MIT */
/*
 * Two counts keep a pool from being destroyed: of its holds, one for each task that it has
 * not finished, and of threads outside that are still waking one of its strands.
 *
 * A word that all workers update with each future would go from core to core. So each
 * worker counts in words of its own, and only it writes them: the holds that it has
 * taken, and those that it has released. Threads outside share two words. A hold may be
 * released by another worker than the one that took it.
 *
 * The sum over all workers is not read at one moment, but if it says that there are no
 * holds, there are none. Its reader reads all the words of released holds first. Each of
 * these holds was taken before it was released, and so was each hold that its task took.
 * S12 carries that: the reader then finds them in the words of taken holds. If these are
 * as many as the released ones, no task is left that could take another hold.
 */
#ifndef FILCH_SCHED_HOLD_H
#define FILCH_SCHED_HOLD_H

#include "sched/seat.h"

/* Counts a task of the pool that runs or waits, until filch__pool_release(). `w` is the
 * calling worker of this pool, or NULL, here and there. */
static inline void filch__pool_hold(struct filch_pool *pool, struct filch__worker *w)
{
	struct filch__holds *mine = w ? &filch__seat_of(w)->holds : &pool->holds;

	if (w)
		store_rlx(&mine->taken, load_rlx(&mine->taken) + 1); /* its own */
	else
		add_rlx(&mine->taken, 1); /* the caller knows that the pool exists */
}

static inline void filch__pool_release(struct filch_pool *pool, struct filch__worker *w)
{
	struct filch__holds *mine = w ? &filch__seat_of(w)->holds : &pool->holds;
	uint64_t was = load_rlx(&mine->released); /* its own, if it is a worker's */

	/* Both pair with the acquires in filch__pool_holds(), and carry that the hold was
	 * taken, and what was done with the pool. */
	if (w)
		store_rel(&mine->released, was + 1); /* S12 release */
	else
		add_rel(&mine->released, 1); /* S12 release */
}

/* The number of holds: 0 only if there are none; too large if some are released
 * meanwhile. */
static inline uint64_t filch__pool_holds(struct filch_pool *pool)
{
	uint64_t released, taken;

	/* Both pair with the releases in filch__pool_release(). */
	released = load_acq(&pool->holds.released); /* S12 acquire */
	for (uint32_t i = 0; i < pool->workers; i++)
		released += load_acq(&pool->seat[i].holds.released); /* S12 acquire */
	taken = load_rlx(&pool->holds.taken); /* after the acquires */
	for (uint32_t i = 0; i < pool->workers; i++)
		taken += load_rlx(&pool->seat[i].holds.taken); /* as above */
	assert(taken >= released);
	return taken - released;
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

/* A thread outside calls these before and after it awaits something as a worker of the pool
 * (lend.h). Caller of the first: as above. Such a thread wakes nobody while it sleeps, so a
 * look for deadlocks must not take it for a guest. */
static inline void filch__tenant_come(struct filch_pool *pool)
{
	add_rlx(&pool->tenants, 1); /* as above */
}

static inline void filch__tenant_go(struct filch_pool *pool)
{
	uint32_t was;

	/* S14 release: as in filch__guest_go(). */
	was = add_rel(&pool->tenants, UINT32_MAX);
	assert(was > 0);
	(void)was;
}

static inline bool filch__pool_has_guests(struct filch_pool *pool)
{
	/* Both pair with the releases in filch__guest_go() and filch__tenant_go(), and carry
	 * what was done with the pool. A tenant is no guest meanwhile, nor the reverse. */
	return load_acq(&pool->tenants) || /* S14 acquire */
	       load_acq(&pool->guests);    /* S14 acquire */
}

#endif
