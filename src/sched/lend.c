/* SPDX-License-Identifier: MIT */
#include "sched/lend.h"

#include "base/clock.h"
#include "base/fork.h"
#include "base/misuse.h"
#include "base/signal.h"
#include "fiber/apart.h"
#include "sched/idle.h"
#include "sched/lookout.h"
#include "sched/own.h"
#include "sched/work.h"
#include "strand/exceptions.h"
#include "strand/probe.h"

#define AGAIN 32 /* looks whether a busy worker is about to become idle */
#define ROOM ((ptrdiff_t)32 << 10) /* bytes of its stack that a worker needs */
#define LOOK_US 1000               /* between two looks at the thread's signal mask */

/* ---- what a thread keeps from one loan to the next ---- */

static _Thread_local struct {
	char *lo, *hi; /* the thread's own stack */
	uint64_t address;
	void *alternate; /* the stack for handlers that it was given, or NULL */
	int signal;      /* the signal that was looked at */
	bool masked;     /* the thread blocked that signal */
	uint64_t looked; /* when, in ticks */
	uint32_t last;   /* the seat that it had last */
} mine;

static pthread_key_t at_exit;
static bool has_key;

static void exits(void *arg)
{
	(void)arg;
	if (filch__worker_self())
		filch__misuse("pthread_exit",
		              "a task must not end its thread, which is a "
		              "worker of a pool; return from the task");
	filch__signal_stack_close(mine.alternate, FILCH__HANDLER_STACK);
	mine.alternate = NULL;
}

/* The thread that has forked has another address in the child. */
static void after_fork(void)
{
	mine.lo = mine.hi = NULL;
}

static void make_key(void)
{
	has_key = !pthread_key_create(&at_exit, exits);
}

void filch__thread_guard(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	if (has_key) /* else exits go unnoticed */
		pthread_setspecific(at_exit, &mine);
}

static bool on_own_stack(void)
{
	const char *here = __builtin_frame_address(0);

	return here >= mine.lo && here < mine.hi;
}

static bool has_room(void)
{
	return (const char *)__builtin_frame_address(0) - mine.lo >= ROOM;
}

/* Looks whether the thread blocks the signal: it seldom changes that. */
static void look_at_mask(uint64_t now)
{
	if (!mine.signal ||
	    (!mine.masked && now - mine.looked < LOOK_US * filch__ticks_per_us()))
		return;
	mine.looked = now;
	mine.masked = filch__signal_is_blocked(mine.signal);
}

/* Finds out about the thread what does not change. Returns false if it cannot be lent a
 * seat: it runs on a stack that the program has made. */
static bool know_myself(int signal)
{
	static struct filch__fork forks = {.child = after_fork};

	if (FILCH_LIKELY(on_own_stack() && signal == mine.signal))
		return true;
	filch__fork_watch(&forks);
	filch__thread_stack(&mine.lo, &mine.hi);
	if (!on_own_stack())
		return false;
	filch__thread_guard();
	mine.address = filch__thread_address();
	mine.signal = signal;
	mine.masked = signal; /* to be looked at */
	if (!mine.alternate && !filch__signal_has_stack())
		mine.alternate = filch__signal_stack_open(FILCH__HANDLER_STACK);
	return true;
}

/* ---- becoming the worker ---- */

/* Keeps what the thread and the seat's own thread have, and puts the thread's in its
 * place. */
static void change_places(struct filch__loan *l)
{
	struct filch__worker *w = &l->seat->worker;

	l->masked = mine.masked;
	if (FILCH_UNLIKELY(l->masked))
		filch__signal_unblock(mine.signal);
	l->cancel = filch__thread_cancellable(false);
	l->exceptions = filch__exceptions_now();
	l->base = w->passage.base;
	l->address = load_rlx(&w->address); /* the worker's own */
	l->lo = w->places.lo;
	l->hi = w->places.hi;
	w->places.lo = mine.lo;
	w->places.hi = mine.hi;
	store_rlx(&w->address, mine.address); /* a hint; see filch__ask() */
	filch__fiber_adopt(&w->passage.base);
	filch__worker_be(w);
	filch__apart_begin();
}

static void change_back(struct filch__loan *l)
{
	struct filch__worker *w = &l->seat->worker;

	filch__apart_end();
	filch__fiber_destroy(&w->passage.base);
	filch__worker_be(NULL);
	store_rlx(&w->address, l->address); /* as above */
	w->passage.base = l->base;
	w->places.lo = l->lo;
	w->places.hi = l->hi;
	filch__exceptions_set(l->exceptions);
	if (l->slack)
		filch__thread_slack(l->slack);
	filch__thread_cancellable(l->cancel);
	if (FILCH_UNLIKELY(l->masked))
		filch__signal_block(mine.signal);
}

bool filch__borrow(struct filch_pool *pool, struct filch__loan *l,
                   _Atomic(uint32_t) *until)
{
	uint64_t now = filch__ticks();
	uint32_t last = mine.last < pool->workers ? mine.last : 0, i;

	assert(!filch__worker_self());
	if (!know_myself(pool->seat->worker.answers.signal) || !has_room())
		return false;
	look_at_mask(now);
	i = filch__park_borrow(&pool->lot, last);
	if (i == FILCH__OUTSIDE)
		return false;
	mine.last = i;
	l->seat = &pool->seat[i];
	l->until = until;
	l->slack = 0;
	filch__hear_anew(&l->seat->worker);
	if (!load_rlx(&pool->lends))           /* a hint */
		store_rlx(&pool->lends, true); /* a hint */
	assert(l->seat->worker.inside && !l->seat->worker.active && !l->seat->loan);
	change_places(l);
	l->seat->loan = l;
	filch__leave_roles(l->seat);
	filch__probe_idle(&l->seat->worker, FILCH__EVENT_SEARCH);
	return true;
}

/* ---- being it ---- */

void filch__loan_call(struct filch__loan *l, struct filch__record *r)
{
	filch__become_busy(l->seat);
	filch__deque_ready(&l->seat->worker);
	r->group = NULL;
	filch__record_start(&l->seat->worker, r, FILCH__DEEP);
}

void filch__loan_work(struct filch__loan *l)
{
	filch__work(l->seat, NULL);
}

void filch__loan_sleeps(struct filch__loan *l)
{
	if (!l->slack)
		l->slack = filch__thread_slack(FILCH__SLACK_NS);
}

/* ---- giving the seat back ---- */

/* Whether something is left that only this worker looks at. */
static bool left_own(struct filch__seat *me)
{
	return filch__own_size(&me->worker) || me->own.picked || me->own.held_n ||
	       !filch__shelf_empty(&me->worker.shelf);
}

/* Whether something is ready, or seems to be, while a worker is busy: it may have called
 * nobody, since this thread was there, and that leaves without a last look. */
static bool left_ready(struct filch_pool *p)
{
	bool any = false;

	if (!filch__tally_any(&p->busy, FILCH__OUTSIDE))
		return false;
	for (uint32_t i = 0; i < p->workers && !any; i++) {
		struct filch__deque *d = filch__offered(&p->seat[i].worker);

		any = filch_runq_size_hint(&p->seat[i].ready) ||
		      (d && filch__deque_size(d));
	}
	return any;
}

/* Whether a worker is busy for which nobody begs. One that has helped with the task that is
 * over now is often about to become idle. */
static bool lacks_beggar(struct filch_pool *p)
{
	for (int i = 0; i < AGAIN; i++) {
		if (load_rlx(&p->beggar) || /* ordered by the fence */
		    !filch__tally_any(&p->busy, FILCH__OUTSIDE))
			return false;
		filch__relax();
	}
	return true;
}

/* Whether something is left that a worker of the pool has to see to. Caller: has announced
 * a worker. */
static bool left_any(struct filch_pool *p)
{
	bool any = !filch__inbox_empty(&p->inbox) || filch__unwatched(p);

	for (unsigned d = 0; d < FILCH__DEPTHS && !any; d++)
		any = !filch__inbox_empty(&p->aside[d]);
	return any || lacks_beggar(p) || left_ready(p);
}

/* The seat is its own thread's again. `own`: something is left there. */
static void leave_seat(struct filch_pool *p, uint32_t i, bool own)
{
	filch__park_give_back(&p->lot, i);
	if (own || left_any(p))
		filch__park_call(&p->lot, FILCH__OUTSIDE, i);
}

void filch__give_back(struct filch__loan *l)
{
	struct filch__seat *me = l->seat;
	struct filch_pool *p = me->worker.pool;
	uint32_t i = me->worker.index;
	bool own;

	assert(me->worker.inside && !me->worker.active && me->loan == l);
	assert(!me->hunger.begging && !me->watch.watching);
	filch__call_for_aside(me);
	filch__stir_own(me);
	filch__become_idle(me);
	filch__probe_idle(&me->worker, FILCH__EVENT_PARK);
	own = left_own(me);
	me->loan = NULL;
	change_back(l);
	leave_seat(p, i, own);
}
