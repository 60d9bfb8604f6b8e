/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder need of each other to run things.
 */
#ifndef FILCH_SCHED_RUN_H
#define FILCH_SCHED_RUN_H

#include "sched/worker.h"

/* A task that another thread waits for. Lives on that thread's stack. */
struct filch__root {
	struct filch__ready ready; /* first */
	struct filch__record *record;
	_Atomic(uint32_t) done; /* the thread sleeps on it */
};

/* In a record's sync: the waiter is a struct filch__root. */
#define FILCH__IS_ROOT ((uintptr_t)2)

void filch__root_done(struct filch__root *root);
void filch__root_wait(struct filch__root *root);

/* A task of the pool runs or waits: it cannot be destroyed meanwhile. */
static inline void filch__pool_hold(struct filch_pool *pool)
{
	add_rlx(&pool->live, 1); /* the caller knows the pool to be there */
}

static inline void filch__pool_release(struct filch_pool *pool)
{
	/* S12 release: pairs with the acquire in filch_pool_destroy(); carries what was done
	 * with the pool. */
	add_rel(&pool->live, UINT64_MAX);
}

/* A thread outside is at it to wake somebody in the pool: who destroys it waits for that.
 * Caller: knows of a task that runs or waits there. */
static inline void filch__guest_come(struct filch_pool *pool)
{
	add_rlx(&pool->guests, 1); /* see above: nobody destroys it now */
}

static inline void filch__guest_go(struct filch_pool *pool)
{
	/* S12 release: pairs with the acquire in filch_pool_destroy(); carries what was done
	 * with the pool. */
	add_rel(&pool->guests, UINT32_MAX);
}

/* What to do next: one of the two. */
struct filch__job {
	struct filch__strand *strand;
	struct filch__record *record;
};

/* Looks for a job: what waits for this worker; what can be stolen, a few tries by the
 * pool's policy; everywhere and without dice, before it sleeps; in the deque that this
 * other one offers. Caller: in the scheduler. */
bool filch__from_own(struct filch__worker *w, struct filch__job *job);
bool filch__steal(struct filch__worker *w, struct filch__job *job);
bool filch__search(struct filch__worker *w, struct filch__job *job);
bool filch__steal_offered(struct filch__worker *w, struct filch__worker *v, bool dice,
                          struct filch__job *job);

/* The calling thread's worker if it is one of this pool, else NULL. */
struct filch__worker *filch__worker_of(struct filch_pool *pool);

/* Runs a strand until it stops or ends; starts one for a record and does so. Caller: in
 * the scheduler. */
void filch__strand_run(struct filch__worker *w, struct filch__strand *s);
void filch__record_start(struct filch__worker *w, struct filch__record *r);

/* The next strand of the worker's own stealable set, if a strand is what comes next. */
struct filch__strand *filch__next_own(struct filch__worker *w);

/* Finds work and does it, until the pool stops, or until `until` (when not NULL) may go
 * on. */
void filch__work(struct filch__worker *w, struct filch__strand *until);

#endif
