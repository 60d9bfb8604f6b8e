/* SPDX-License-Identifier: MIT */
#include "sched/idle.h"

#include "base/clock.h"
#include "sched/call.h"
#include "sched/home.h"
#include "sched/lend.h"
#include "sched/lookout.h"
#include "sched/own.h"
#include "sched/shelves.h"
#include "sched/steal.h"
#include "sched/warm.h"
#include "strand/expose.h"
#include "strand/hunger.h"
#include "strand/probe.h"

#define ASKED_MOST 4          /* workers that are asked in one go */
#define SPIN_NS 20000         /* how long to await an answer; a spin is a quarter */
#define LINGER_LEAST_NS 5000  /* how long it lingers, at least; half as long if in vain */
#define LINGER_MOST_NS 200000 /* ... at most; twice as long if it was worth while */
#define NAP_BUSY_NS 40000     /* the beggar's first nap while a worker is busy */
#define NAP_LONGER_NS 500     /* by how much each one is longer than the one before */
#define NAP_FIRST_NS 50000    /* its first nap else; each one is twice as long */
#define NAP_MOST_NS 2000000   /* ... up to this */
#define NAPS_IDLE 32          /* naps in vain until it sleeps, if no worker is busy */
#define LOOK_STUCK_NS 100000000 /* between two looks for a deadlock */
#define GLANCED_MOST 16         /* workers at which it glances */
#define LOOKS_BLIND 64          /* looks at workers until one is asked all the same */
#define NAPS_CROWDED 32         /* naps between two questions, with no processor left */

/* Naps until the beggar does more than glance. The model checker has one. */
#ifndef FILCH__GLANCES
#define FILCH__GLANCES 32
#endif

/* Whether any worker is busy. */
static bool busy(struct filch__seat *me)
{
	return filch__tally_any(&me->worker.pool->busy, me->worker.index);
}

bool filch__is_over(struct filch__seat *me, struct filch__strand *until)
{
	if (until)
		return filch__strand_is_woken(until);
	/* Flags only: whatever a loan is for is acquired when it is over. */
	return load_rlx(me->loan ? me->loan->until : &me->worker.pool->stop);
}

/* ---- busy and idle ---- */

void filch__become_idle(struct filch__seat *me)
{
	if (load_rlx(&me->busy)) {       /* own word */
		store_rlx(&me->busy, 0); /* a hint */
		filch__tally_drop(&me->worker.pool->busy, me->worker.index);
	}
	filch__ask_forget(&me->worker);
}

void filch__become_busy(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;

	if (load_rlx(&me->busy)) /* own word */
		return;
	assert(!me->hunger.begging && !me->watch.watching);
	store_rlx(&me->busy, 1);                      /* a hint */
	filch__tally_add(&p->busy, me->worker.index); /* ordered by the fence */
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: a worker
	 * that goes to sleep misses that this one is busy, or no longer the lookout,
	 * while this one misses that nobody begs, or looks out. */
	fence_sc();
	if (!filch__hunger_is_shown() && filch__anyone_hungry(&me->worker))
		filch__hunger_show();
	/* The fence orders the loads of `beggar` and of the timers that follow. */
	if ((!load_rlx(&p->beggar) || filch__unwatched(p)) &&
	    !filch__tally_near(&p->searching, me->worker.index) &&
	    filch__tally_any(&p->lot.idle, me->worker.index))
		filch__call_beside(&me->worker);
}

/* ---- asking ---- */

/* Waits a little for v's answer. */
static void await_answer(struct filch__seat *v)
{
	uint64_t end = filch__now_ns() + SPIN_NS;

	while (load_rlx(&v->worker.question.asked) && filch__now_ns() < end) /* polled */
		for (int k = 0; k < 20; k++)
			filch__relax();
}

/* Whether it is worth while to interrupt a worker of which this was seen. Where one alone is
 * busy, the joins of young tasks would have heard. Else, now and then one is asked of which
 * nothing was seen, since a deep stack hides tasks where nobody looks. */
static bool is_worth(struct filch__seat *me, enum filch__sight seen)
{
	return seen == FILCH__SEES_OLD ||
	       ((seen == FILCH__SEES_TASK || ++me->hunger.looks % LOOKS_BLIND == 0) &&
	        filch__tally_sum(&me->worker.pool->busy) > 1); /* a hint */
}

/* Asks this worker, unless another one has, or it has nothing, or is not to be asked now.
 * Returns whether an answer is to be expected. */
static bool asked(struct filch__seat *me, struct filch__seat *v)
{
	enum filch__sight seen;

	if (v == me || !load_rlx(&v->busy)) /* a hint */
		return false;
	seen = filch__glance(&v->worker);
	return (me->hunger.blind || is_worth(me, seen)) &&
	       (filch__ask(&me->worker, &v->worker, seen == FILCH__SEES_OLD) ||
	        load_rlx(&v->worker.question.asked)); /* a hint */
}

/* Waits for the answer, and takes what it gives. */
static bool answered(struct filch__seat *me, struct filch__seat *v,
                     struct filch__job *job)
{
	await_answer(v);
	if (FILCH_UNLIKELY(me->worker.places.starved[FILCH__DEEP]))
		filch__call_all(me->worker.pool); /* another may be able to begin it */
	return filch__steal_offered(me, v, true, job) || filch__steal(me, job);
}

/* Asks busy workers, one after the other, until one answers with something. */
static bool ask(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;
	uint32_t n = 0;
	size_t first;

	if (!busy(me))
		return false;
	first = filch__victims_next(&me->theft.victims);
	for (uint32_t i = 0; i < p->workers && n < ASKED_MOST; i++) {
		struct filch__seat *v = &p->seat[(first + i) % p->workers];

		if (!asked(me, v))
			continue;
		if (answered(me, v, job))
			return true;
		n++;
	}
	return false;
}

/* Goes to the worker that has called this one, if one has. */
static bool from_caller(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;
	uint32_t caller = filch__park_caller(&p->lot, me->worker.index);
	struct filch__seat *v;

	if (caller == FILCH__OUTSIDE || caller == me->worker.index)
		return false;
	v = &p->seat[caller];
	return filch__steal_from(me, v, true, job) == FILCH_OK ||
	       (asked(me, v) && answered(me, v, job));
}

/* ---- begging ---- */

/* Makes this worker the beggar, if there is none. The beggar asks again and again on
 * behalf of all idle workers, since a spawn notifies nobody. Where the worker that has
 * called this one is idle again, there may soon be another loan. Returns whether it is this
 * worker. */
static bool beg(struct filch__seat *me)
{
	_Atomic(uint32_t) *beggar = &me->worker.pool->beggar;
	uint32_t none = 0, mine = me->worker.index + 1;

	if (!me->hunger.begging && !load_rlx(beggar) && /* the CAS re-checks */
	    (busy(me) ||
	     (me->hunger.called && load_rlx(&me->worker.pool->lends)))) /* a hint */
		me->hunger.begging = cas_rlx(beggar, &none, mine); /* a role, no data */
	return me->hunger.begging;
}

static void stop_begging(struct filch__seat *me)
{
	_Atomic(uint32_t) *beggar = &me->worker.pool->beggar;

	if (me->hunger.begging) {
		assert(load_rlx(beggar) == me->worker.index + 1); /* its own role */
		store_rlx(beggar, 0);                             /* a role, no data */
	}
	me->hunger.begging = me->hunger.called = false;
	me->hunger.fruitless = 0;
}

void filch__leave_roles(struct filch__seat *me)
{
	stop_begging(me);
	filch__lookout_drop(me);
}

/* How long the beggar sleeps. While a worker is busy it leaves word, for that one's joins,
 * and asks soon if none hears it: the worker may be in a long leaf. */
static uint64_t nap_ns(struct filch__seat *me)
{
	uint32_t n = me->hunger.fruitless < 6 ? me->hunger.fruitless : 6;
	uint64_t ns = (uint64_t)NAP_FIRST_NS << n;

	if (busy(me) && filch__processors_left(me->worker.pool)) {
		filch__hunger_show();
		ns = NAP_BUSY_NS + (uint64_t)me->hunger.fruitless * NAP_LONGER_NS;
	}
	return ns < NAP_MOST_NS ? ns : NAP_MOST_NS;
}

/* ---- spinning and sleeping ---- */

static bool spin(struct filch__seat *me, struct filch__job *job)
{
	uint64_t end = filch__now_ns() + SPIN_NS / 4;

	if (me->worker.alone) /* nobody does anything meanwhile */
		return filch__from_own(me, job);
	do {
		if (filch__steal(me, job) || filch__from_own(me, job))
			return true;
		for (int k = 0; k < 20; k++)
			filch__relax();
	} while (filch__now_ns() < end);
	return false;
}

/* Waits a little for any worker to become busy, or for something else to do. */
static void watch(struct filch__seat *me, struct filch__strand *until)
{
	uint64_t end = filch__now_ns() + SPIN_NS / 4;

	while (!busy(me) && !filch__is_over(me, until) &&
	       filch__inbox_empty(&me->worker.pool->inbox) && filch__now_ns() < end)
		for (int k = 0; k < 4; k++)
			filch__relax();
}

/* A worker that has just been useful stays awake for a while: parallel loops often follow
 * each other, and waking up takes longer than many of them last. For how long, it learns
 * from how often that was worth while. Where no worker is busy, only a worker that has
 * helped another one stays awake: events wake whoever waits for them. */
static bool linger(struct filch__seat *me, struct filch__strand *until,
                   struct filch__job *job)
{
	struct filch__hunger *h = &me->hunger;
	uint64_t now = filch__now_ns(), end = now + h->linger_ns;
	bool found = false;

	if (me->worker.alone || !(h->useful || filch__is_warm_wanted(now)))
		return false;
	while (!found && (now < end || filch__is_warm_wanted(now)) &&
	       (busy(me) || h->helped || filch__is_warm_wanted(now)) &&
	       filch__processors_left(me->worker.pool) && !filch__is_over(me, until)) {
		if (!busy(me) || beg(me)) /* one worker at a time says so */
			filch__say_warm(now);
		filch__look(me);
		watch(me, until);
		found = busy(me) && beg(me) && ask(me, job);
		if (!found && busy(me))
			filch__hunger_show(); /* only now: it makes tasks look young */
		found = found || spin(me, job);
		now = filch__now_ns();
	}
	return found;
}

/* Learns from the time that it took to find something whether to linger is worth while. */
static void adapt(struct filch__hunger *h, uint64_t took_ns)
{
	h->linger_ns = took_ns < LINGER_MOST_NS ? h->linger_ns * 2 : h->linger_ns / 2;
	if (h->linger_ns > LINGER_MOST_NS)
		h->linger_ns = LINGER_MOST_NS;
	if (h->linger_ns < LINGER_LEAST_NS)
		h->linger_ns = LINGER_LEAST_NS;
}

/* The beggar asks the busy workers. If these already fill the processors it asks seldom,
 * but it does ask: one of them may be in a system call that waits for a task which it
 * hides. */
static bool beg_for(struct filch__seat *me, struct filch__job *job)
{
	bool may_ask = filch__processors_left(me->worker.pool) ||
	               me->hunger.fruitless % NAPS_CROWDED == 0;

	return me->hunger.begging &&
	       ((may_ask && ask(me, job)) || filch__from_shelves(me, job));
}

/* Whether this worker looks for deadlocks while it has nothing to do. */
static bool looks_stuck(const struct filch__seat *me)
{
	return me->worker.pool->look_stuck && !me->worker.index;
}

/* How long the worker may sleep. There is a strand on its shelf only if there was no
 * memory to expose what it hides: then the worker tries again. */
static uint64_t sleep_ns(struct filch__seat *me)
{
	if (me->hunger.begging)
		return nap_ns(me);
	if (!filch__shelf_empty(&me->worker.shelf))
		return NAP_MOST_NS;
	return looks_stuck(me) ? LOOK_STUCK_NS : UINT64_MAX;
}

/* After every so many naps the beggar asks in any case. */
static void count_nap(struct filch__seat *me)
{
	me->hunger.blind = ++me->hunger.fruitless % FILCH__GLANCES == 0;
}

/* Whether the beggar has something to do, at a glance: most of its naps end for nothing. */
static bool glance(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;

	count_nap(me);
	if (me->hunger.blind || !busy(me))
		return true;
	for (uint32_t i = 0; i < p->workers && i < GLANCED_MOST; i++) {
		struct filch__seat *v = &p->seat[me->hunger.glanced++ % p->workers];

		if (v != me && load_rlx(&v->busy) && /* a hint */
		    is_worth(me, filch__glance(&v->worker)))
			return true;
	}
	return false;
}

bool filch__doze(struct filch__seat *me, uint64_t ns)
{
	struct filch__lot *lot = &me->worker.pool->lot;
	bool lends = !me->loan && !me->worker.places.innermost && !looks_stuck(me), on;

	if (me->loan)
		filch__loan_sleeps(me->loan);
	if (lends)
		filch__worker_be(NULL); /* for signals that come to this thread */
	on = filch__park_doze(lot, me->worker.index, ns, lends);
	if (lends)
		filch__worker_be(&me->worker);
	return on;
}

void filch__sleep(struct filch__seat *me, uint64_t ns)
{
	while (filch__doze(me, ns) && ns == UINT64_MAX)
		;
	me->hunger.called = filch__park_cancel(&me->worker.pool->lot, me->worker.index);
}

/* Naps until it is called, or there is something to do: then it asks first of all. */
static void nap(struct filch__seat *me)
{
	struct filch__lot *lot = &me->worker.pool->lot;

	while (filch__doze(me, sleep_ns(me)) && me->hunger.begging && !glance(me))
		;
	me->hunger.called = filch__park_cancel(lot, me->worker.index);
	me->hunger.ask_first = !me->hunger.called;
}

/* Sleeps where events or other workers wake it, and takes the announcement back. */
static bool fall_asleep(struct filch__seat *me, struct filch__job *job)
{
	bool begging = me->hunger.begging, found = false;
	uint64_t ns = sleep_ns(me);

	FILCH__COUNT(&me->worker, parked, 1);
	assert(filch__shelf_empty(&me->worker.shelf) || !me->worker.deques.empty);
	if (filch__lookout_take(me)) {
		filch__probe_idle(&me->worker, FILCH__EVENT_LOOKOUT);
		filch__lookout_sleep(me, ns);
		if (begging) /* a nap counts itself */
			count_nap(me);
		filch__probe_idle(&me->worker, FILCH__EVENT_SEARCH);
		found = filch__from_own(me, job);
	} else {
		filch__stir_own(me);
		filch__probe_idle(&me->worker,
		                  begging ? FILCH__EVENT_NAP : FILCH__EVENT_PARK);
		if (begging)
			nap(me);
		else
			filch__sleep(me, ns);
		filch__probe_idle(&me->worker, FILCH__EVENT_SEARCH);
	}
	filch__call_answered(me);
	if (!begging && !found && looks_stuck(me))
		me->worker.pool->look_stuck(me->worker.pool);
	return found;
}

/* Announces, looks everywhere once more, and sleeps until called, or until it is time to
 * ask again. Returns true with a job if the last look found one. */
static bool sleep_on(struct filch__seat *me, struct filch__strand *until,
                     struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;
	enum filch_result looked;
	bool found;

	filch__park_announce(&p->lot, me->worker.index);
	looked = filch__search(me, job);
	found = looked == FILCH_OK;
	/* If the search has left something in the inbox, another worker was taking from
	 * it. */
	if (looked != FILCH_EMPTY || filch__is_over(me, until) ||
	    !filch__inbox_empty(&p->inbox) || filch__aside_waits(me) ||
	    (!beg(me) && busy(me) && !load_rlx(&p->beggar))) { /* by the fence */
		if (filch__park_cancel(&p->lot, me->worker.index) && found)
			filch__park_notify(&p->lot, me->worker.index);
		return found;
	}
	return fall_asleep(me, job);
}

/* Makes stacks before they are needed, since all workers may begin their first strand at
 * the same moment, and gives back the memory of those that are too many. */
static bool tend_stacks(struct filch__worker *w)
{
	bool any = filch__stack_prepare(&w->stacks[FILCH__DEEP],
	                                &w->passage.stacks[FILCH__DEEP]);

	for (unsigned i = 0; i < FILCH__DEPTHS; i++)
		any |= filch__stacks_tend(&w->stacks[i]);
	return any;
}

/* Does something useful before the worker may sleep. Returns false if there is nothing
 * left to do; otherwise *found says whether it has found a job. */
static bool tidy(struct filch__seat *me, struct filch__job *job, bool *found)
{
	if (!filch__shelf_empty(&me->worker.shelf) && filch__deque_ready(&me->worker)) {
		filch__look(me);
		*found = filch__from_shelf(me, job) || filch__from_own(me, job);
		return true;
	}
	if (!busy(me) && tend_stacks(&me->worker)) {
		filch__look(me);
		*found = filch__from_own(me, job) || filch__steal(me, job);
		return true;
	}
	return false;
}

bool filch__wait_for_job(struct filch__seat *me, struct filch__strand *until,
                         struct filch__job *job)
{
	struct filch__tally *searching = &me->worker.pool->searching;
	uint64_t since = filch__now_ns();
	bool found;

	assert(me->worker.inside && !me->worker.active);
	filch__become_idle(me);
	/* A worker that searches need not be called: it looks once more after it has left
	 * this count, behind the fence of its announcement. */
	filch__tally_add(searching, me->worker.index);
	if (busy(me))
		filch__hunger_show();
	found = spin(me, job) || ask(me, job) || filch__from_shelves(me, job) ||
	        linger(me, until, job);
	while (!found && !filch__is_over(me, until)) {
		if (me->hunger.fruitless > NAPS_IDLE && !busy(me))
			stop_begging(me);
		if (tidy(me, job, &found))
			continue;
		filch__places_look(&me->worker, &me->worker.places);
		filch__call_for_aside(me);
		filch__home_return(me);
		filch__tally_drop(searching, me->worker.index);
		found = sleep_on(me, until, job);
		filch__tally_add(searching, me->worker.index);
		if (!found)
			found = (me->hunger.ask_first && beg_for(me, job)) ||
			        from_caller(me, job) || spin(me, job) ||
			        beg_for(me, job) || linger(me, until, job);
		me->hunger.ask_first = me->hunger.blind = me->hunger.useful = false;
	}
	filch__tally_drop(searching, me->worker.index);
	filch__leave_roles(me);
	me->hunger.useful = found;
	me->hunger.helped = found && job->victim;
	if (found)
		adapt(&me->hunger, filch__now_ns() - since);
	filch__call_answered(me);
	assert(!found || job->strand || job->record);
	return found;
}
