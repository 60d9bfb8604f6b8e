/* SPDX-License-Identifier: MIT */
#include "sched/call.h"

/* ---- somebody, all ---- */

void filch__call_somebody(struct filch_pool *pool, struct filch__worker *w)
{
	if (w && w->alone)
		return;
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: a worker
	 * that goes to sleep misses the work, while this one misses that it is idle. */
	fence_sc();
	/* More busy workers than processors would take time from each other. So a worker
	 * beyond that number comes only when the beggar wakes up. */
	if (load_rlx(&pool->lot.idle) &&          /* ordered by the fence */
	    !load_rlx(&pool->searching) &&        /* ordered by the fence */
	    load_rlx(&pool->busy) < pool->cpus && /* a hint; the beggar makes up for it */
	    filch__park_notify_slow(&pool->lot) && w)
		FILCH__COUNT(w, woken, 1);
}

void filch__call_all(struct filch_pool *pool)
{
	filch__park_notify_all(&pool->lot);
}

void filch__call_soon(struct filch_pool *pool, struct filch__seat *me)
{
	if (me && me->calls.voice != FILCH__LOUD)
		me->calls.voice = FILCH__TO_CALL;
	else
		filch__call_somebody(pool, me ? &me->worker : NULL);
}

void filch__call_hold(struct filch__seat *me)
{
	assert(me->calls.voice == FILCH__LOUD);
	me->calls.voice = FILCH__QUIET;
}

void filch__call_held(struct filch__seat *me)
{
	bool call = me->calls.voice == FILCH__TO_CALL;

	assert(me->calls.voice != FILCH__LOUD);
	me->calls.voice = FILCH__LOUD;
	if (call)
		filch__call_somebody(me->worker.pool, &me->worker);
}

/* ---- the beggar, on another processor ---- */

/* Lets the worker run wherever it could before. Caller: holds the lock. */
static void unsteer(struct filch__seat *v)
{
	filch__thread_bind(&v->worker.thread, &v->calls.may);
	store_rlx(&v->calls.steered, false); /* under the lock */
}

/* Keeps the worker off this processor, if it may run on others. Caller: holds the
 * lock. */
static void steer(struct filch__seat *v, int cpu)
{
	cpu_set_t *may = &v->calls.may, less;

	assert(load_rlx(filch__lock_word(&v->calls.steering))); /* the caller holds it */
	if (cpu < 0 || load_rlx(&v->calls.steered) ||           /* under the lock */
	    !filch__thread_may(&v->worker.thread, may) || !CPU_ISSET((size_t)cpu, may) ||
	    CPU_COUNT(may) == 1)
		return;
	less = *may;
	CPU_CLR((size_t)cpu, &less);
	if (filch__thread_bind(&v->worker.thread, &less))
		store_rlx(&v->calls.steered, true); /* under the lock */
}

/* Calls the worker if it is idle, and keeps it off this processor until it has found
 * something to do. A kernel that takes all other processors for busy, as it does with
 * sleeping processors of a virtual machine, puts a woken thread behind its waker, and
 * there it may wait for milliseconds. */
static bool call_elsewhere(struct filch__seat *v)
{
	struct filch__lot *lot = &v->worker.pool->lot;
	bool called;

	if (!filch__try_lock(&v->calls.steering))
		return filch__park_call(lot, v->worker.index);
	steer(v, filch__thread_cpu());
	called = filch__park_call(lot, v->worker.index);
	if (!called && load_rlx(&v->calls.steered)) /* under the lock */
		unsteer(v);
	filch__unlock(&v->calls.steering);
	return called;
}

void filch__call_beggar(struct filch__worker *w)
{
	struct filch_pool *pool = w->pool;
	uint32_t beggar = load_rlx(&pool->beggar); /* a hint: it also wakes by itself */

	assert(w->inside);
	filch__ask_welcome(w);
	if (w->alone || !load_rlx(&pool->lot.idle)) /* a hint */
		return;
	if (!beggar) {
		filch__call_somebody(pool, w);
	} else if (load_rlx(&pool->busy) < pool->cpus && /* a hint */
	           call_elsewhere(&pool->seat[beggar - 1])) {
		FILCH__COUNT(w, woken, 1);
	}
}

void filch__call_answered(struct filch__seat *me)
{
	if (FILCH_LIKELY(!load_rlx(&me->calls.steered))) /* a hint: else the next time */
		return;
	filch__lock(&me->calls.steering);
	if (load_rlx(&me->calls.steered)) /* under the lock */
		unsteer(me);
	filch__unlock(&me->calls.steering);
}
