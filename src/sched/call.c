/* SPDX-License-Identifier: MIT */
#include "sched/call.h"

/* How many workers a worker that has something to give calls. A thief calls as well when
 * it begins, so that the number of busy workers doubles and doubles again. */
#define SPREAD 2
#define VAIN_MOST 6 /* at least every 64th task that it begins */

/* ---- one worker, on another processor ---- */

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
 * sleeping processors of a virtual machine, wakes a thread behind its caller, for
 * milliseconds, or in its place. */
static bool call_elsewhere(struct filch__seat *v, uint32_t from)
{
	struct filch__lot *lot = &v->worker.pool->lot;
	int cpu = filch__thread_cpu();
	bool called;

	store_rlx(&v->calls.beside, cpu + 1); /* a hint */
	if (cpu < 0 || !filch__try_lock(&v->calls.steering))
		return filch__park_call(lot, from, v->worker.index);
	steer(v, cpu);
	called = filch__park_call(lot, from, v->worker.index);
	if (!called && load_rlx(&v->calls.steered)) /* under the lock */
		unsteer(v);
	filch__unlock(&v->calls.steering);
	return called;
}

/* Calls an idle worker, and returns whether there was one. The caller is a worker, or, if w
 * is NULL, a thread outside. */
static bool call_any(struct filch_pool *pool, struct filch__worker *w, bool beside)
{
	uint32_t from = w ? w->index : FILCH__OUTSIDE;
	uint32_t i = beside ? filch__park_find(&pool->lot, from) : FILCH__OUTSIDE;
	bool called = (i != FILCH__OUTSIDE && call_elsewhere(&pool->seat[i], from)) ||
	              filch__park_notify_slow(&pool->lot, from);

	if (called && w)
		FILCH__COUNT(w, woken, 1);
	return called;
}

void filch__call_beside(struct filch__worker *w)
{
	call_any(w->pool, w, true);
}

/* ---- somebody, all ---- */

uint32_t filch__processors_left(struct filch_pool *pool)
{
	uint32_t busy;

	if (FILCH_LIKELY(pool->workers <= pool->cpus))
		return pool->cpus;            /* the idle workers are fewer */
	busy = filch__tally_sum(&pool->busy); /* a hint; the beggar makes up for it */
	return busy < pool->cpus ? pool->cpus - busy : 0;
}

/* Calls idle workers for this many things that were made stealable. A worker that
 * searches finds one of them. `beside`: the caller goes on with what it does. A thread
 * outside may as well sleep next, and leave its processor to the worker. */
static void call_for(struct filch_pool *pool, struct filch__worker *w, size_t things,
                     bool beside)
{
	uint32_t from = w ? w->index : FILCH__OUTSIDE, left, most;

	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: a worker
	 * that goes to sleep misses the work, while this one misses that it is idle. */
	fence_sc();
	if (!filch__tally_any(&pool->lot.idle, from))
		return;
	things -= filch__tally_near(&pool->searching, from);
	most = things < SPREAD ? (uint32_t)things : SPREAD;
	left = filch__processors_left(pool);
	if (most > left)
		most = left;
	while (most && call_any(pool, w, beside))
		most--;
}

void filch__call_somebody(struct filch_pool *pool, struct filch__worker *w)
{
	if (!w || !w->alone)
		call_for(pool, w, 1, false);
}

void filch__call_for(struct filch__worker *w, size_t tasks)
{
	if (!w->alone)
		call_for(w->pool, w, tasks, true);
}

size_t filch__takers(struct filch__worker *w)
{
	uint32_t idle = filch__tally_sum(&w->pool->lot.idle);
	uint32_t left = filch__processors_left(w->pool);
	uint32_t more = idle < left ? idle : left;

	return 1 + (more < SPREAD ? more : SPREAD);
}

bool filch__anyone_searches(struct filch__worker *w)
{
	return filch__tally_near(&w->pool->searching, w->index);
}

bool filch__anyone_hungry(struct filch__worker *w)
{
	struct filch_pool *p = w->pool;

	return filch__tally_any(&p->searching, w->index) ||
	       (filch__tally_any(&p->lot.idle, w->index) && filch__processors_left(p));
}

void filch__call_worker(struct filch__worker *w)
{
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: the worker
	 * goes to sleep and misses that it is over, while this thread misses that it is
	 * idle. */
	fence_sc();
	filch__park_call(&w->pool->lot, FILCH__OUTSIDE, w->index);
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

/* ---- one more, when a task begins ---- */

/* Whether this worker is to call another one as it begins a task. It does so less and
 * less often while nothing comes of it: the tasks spawn none, or end too soon. */
static bool spreads(struct filch__seat *me)
{
	struct filch__spread *s = &me->calls.spread;
	uint64_t exposed = load_rlx(&me->worker.counters.exposed); /* own */

	if (s->skip) {
		s->skip--;
		return false;
	}
	s->vain = exposed != s->exposed ? 0 : s->vain + (s->vain < VAIN_MOST);
	s->exposed = exposed;
	s->skip = (1u << s->vain) - 1;
	return true;
}

void filch__call_to_begin(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;

	if (me->worker.alone || !filch__tally_any(&p->lot.idle, me->worker.index))
		return;
	if (filch__processors_left(p) && spreads(me))
		filch__call_beside(&me->worker);
}

void filch__call_beggar(struct filch__worker *w)
{
	struct filch_pool *pool = w->pool;
	uint32_t beggar = load_rlx(&pool->beggar); /* a hint: it also wakes by itself */

	assert(w->inside);
	if (w->alone || !filch__tally_any(&pool->lot.idle, w->index))
		return;
	if (!beggar) {
		filch__call_somebody(pool, w);
	} else if (filch__processors_left(pool) &&
	           call_elsewhere(&pool->seat[beggar - 1], w->index)) {
		FILCH__COUNT(w, woken, 1);
	}
}

/* Moves off this processor, and may come back. */
static void make_room(struct filch__seat *me, int cpu)
{
	filch__lock(&me->calls.steering);
	steer(me, cpu);
	if (load_rlx(&me->calls.steered)) /* under the lock */
		unsteer(me);
	filch__unlock(&me->calls.steering);
}

void filch__call_answered(struct filch__seat *me)
{
	int beside = load_rlx(&me->calls.beside); /* a hint */

	if (FILCH_UNLIKELY(beside)) {
		store_rlx(&me->calls.beside, 0); /* a hint */
		if (!me->loan && beside == filch__thread_cpu() + 1)
			make_room(me, beside - 1);
	}
	if (FILCH_LIKELY(!load_rlx(&me->calls.steered))) /* a hint: else the next time */
		return;
	filch__lock(&me->calls.steering);
	if (load_rlx(&me->calls.steered)) /* under the lock */
		unsteer(me);
	filch__unlock(&me->calls.steering);
}
