/* SPDX-License-Identifier: MIT */
/*
 * A worker: looks for something to run, runs it, and begs or sleeps when there is nothing.
 */
#include "sched/worker.h"

#include <assert.h>
#include <sched.h>

#include "base/clock.h"
#include "sched/expose.h"
#include "sched/lookout.h"
#include "sched/probe.h"
#include "sched/record.h"
#include "sched/run.h"

#define SWEEPS 8         /* strands of a shelf that are looked through at once */
#define SHELVES_NS 50000 /* between two sweeps of others' shelves, at first; up to */
#define SHELVES_MOST_NS 20000000 /* ... this, while they hide nothing */
#define SPIN_NS 20000            /* how long to look before sleeping */
#define LINGER_NS 200000         /* ... after having been of use */
#define NAP_FIRST_NS 50000       /* the beggar's first nap; each is longer, up to */
#define NAP_MOST_NS 2000000      /* ... this */
#define NAPS_IDLE 32             /* naps with nobody busy before it sleeps for good */
#define NAPS_CROWDED 32          /* naps before it asks, with no processor left */

static _Thread_local struct filch__worker *self;

FILCH_NOINLINE struct filch__worker *filch__worker_self(void)
{
	__asm__ volatile(""); /* not to be taken for a function of nothing */
	return self;
}

FILCH_NOINLINE struct filch__worker *filch__worker_of(struct filch_pool *pool)
{
	return self && self->pool == pool ? self : NULL;
}

void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r)
{
	if (!w || filch_runq_put(filch_runq_owner(&w->ready), (filch_entry)r) != FILCH_OK)
		filch__inbox_put(&pool->inbox, r);
	else if (pool->workers == 1)
		return; /* nobody else to call */
	if (w && w->quiet)
		w->quiet = FILCH__TO_CALL;
	else
		filch__call_somebody(pool, w);
}

void filch__call_somebody(struct filch_pool *pool, struct filch__worker *w)
{
	if (w && pool->workers == 1)
		return; /* it is the only one */
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: who goes
	 * to sleep misses the work, while this one misses that it is idle. */
	fence_sc();
	/* More busy workers than processors take time from each other: those beyond come
	 * one at a time, when the beggar wakes up. */
	if (load_rlx(&pool->lot.idle) &&          /* ordered by the fence */
	    !load_rlx(&pool->searching) &&        /* ordered by the fence */
	    load_rlx(&pool->busy) < pool->cpus && /* a hint; the beggar makes up for it */
	    filch__park_notify_slow(&pool->lot) && w)
		FILCH__COUNT(w, woken, 1);
}

/* It may run wherever it might before. Caller: holds the lock. */
static void unsteer_locked(struct filch__worker *w)
{
	pthread_setaffinity_np(w->thread, sizeof w->may, &w->may);
	store_rlx(&w->steered, false); /* under the lock */
}

static void unsteer(struct filch__worker *w)
{
	filch__lock(&w->steering);
	if (load_rlx(&w->steered)) /* under the lock */
		unsteer_locked(w);
	filch__unlock(&w->steering);
}

static void steer_locked(struct filch__worker *w, int cpu)
{
	cpu_set_t less;

	if (cpu < 0 || load_rlx(&w->steered) || /* under the lock */
	    pthread_getaffinity_np(w->thread, sizeof w->may, &w->may) ||
	    !CPU_ISSET((size_t)cpu, &w->may) || CPU_COUNT(&w->may) == 1)
		return;
	less = w->may;
	CPU_CLR((size_t)cpu, &less);
	if (!pthread_setaffinity_np(w->thread, sizeof less, &less))
		store_rlx(&w->steered, true); /* under the lock */
}

/* Calls the worker if it is idle, and keeps it off this processor until it has found something
 * to do. A kernel that finds all others taken, as it finds sleeping processors of a virtual
 * machine, puts who is called behind the caller, and there it may wait for milliseconds. */
static bool call_elsewhere(struct filch__worker *w)
{
	struct filch__lot *lot = &w->pool->lot;
	bool called;

	if (!filch__try_lock(&w->steering))
		return filch__park_call(lot, w->index);
	steer_locked(w, sched_getcpu());
	called = filch__park_call(lot, w->index);
	if (!called && load_rlx(&w->steered)) /* under the lock */
		unsteer_locked(w);
	filch__unlock(&w->steering);
	return called;
}

void filch__call_beggar(struct filch__worker *w)
{
	struct filch_pool *pool = w->pool;
	uint32_t beggar = load_rlx(&pool->beggar); /* a hint: it wakes by itself, too */

	w->barren = 0;
	store_rlx(&w->ask_after, 0);                          /* a hint */
	if (pool->workers == 1 || !load_rlx(&pool->lot.idle)) /* a hint */
		return;
	if (!beggar) {
		filch__call_somebody(pool, w);
	} else if (load_rlx(&pool->busy) < pool->cpus && /* a hint */
	           call_elsewhere(&pool->worker[beggar - 1])) {
		FILCH__COUNT(w, woken, 1);
	}
}

/* ---- begging and sleeping ---- */

static bool ended(struct filch__worker *w, struct filch__strand *until)
{
	if (until) {
		/* S6 acquire: pairs with the release in filch__wake_ticket(); carries what the
		 * waker did. */
		return filch__strand_state(load_acq(&until->state)) != FILCH__SUSPENDED;
	}
	return load_rlx(&w->pool->stop); /* a flag only */
}

static uint32_t busy(struct filch__worker *w)
{
	return load_rlx(&w->pool->busy); /* a hint, or ordered by a fence */
}

/* One of those that are idle begs on behalf of all: it goes on asking, since a spawn tells
 * nobody. */
static bool beg(struct filch__worker *w)
{
	uint32_t none = 0, me = w->index + 1;

	if (!w->begging && busy(w))
		w->begging = cas_rlx(&w->pool->beggar, &none, me); /* a role, no data */
	return w->begging;
}

static void stop_begging(struct filch__worker *w)
{
	if (w->begging)
		store_rlx(&w->pool->beggar, 0); /* a role, no data */
	w->begging = false;
	w->fruitless = 0;
}

/* Asks somebody who is busy, and waits a little for the answer. */
static bool ask(struct filch__worker *w, struct filch__job *job)
{
	struct filch_pool *p = w->pool;
	size_t first;

	if (!busy(w))
		return false;
	first = filch__victims_next(&w->victims);
	for (uint32_t i = 0; i < p->workers; i++) {
		struct filch__worker *v = &p->worker[(first + i) % p->workers];
		uint64_t end;

		if (v == w || !filch__ask(w, v))
			continue;
		end = filch__now_ns() + SPIN_NS;
		while (load_rlx(&v->asked) && filch__now_ns() < end) /* polled */
			for (int k = 0; k < 20; k++)
				filch__relax();
		if (filch__steal_offered(w, v, false, job) || filch__steal(w, job))
			return true;
	}
	return false;
}

static uint64_t nap_ns(struct filch__worker *w)
{
	uint64_t ns = (uint64_t)NAP_FIRST_NS << (w->fruitless < 6 ? w->fruitless : 6);

	return ns < NAP_MOST_NS ? ns : NAP_MOST_NS;
}

/* Sleeps until called, or until it is time to ask again. True with a job if the last look
 * found one. */
static bool sleep_on(struct filch__worker *w, struct filch__strand *until,
                     struct filch__job *job)
{
	struct filch__lot *lot = &w->pool->lot;
	bool found;

	filch__park_announce(lot, w->index);
	found = filch__search(w, job);
	/* The inbox may be in somebody's hands. */
	if (found || ended(w, until) || !filch__inbox_empty(&w->pool->inbox) ||
	    (!beg(w) && busy(w) && !load_rlx(&w->pool->beggar))) { /* as above */
		if (filch__park_cancel(lot, w->index) && found)
			filch__park_notify(lot);
		return found;
	}
	FILCH__COUNT(w, parked, 1);
	if (filch__lookout_take(w)) {
		filch__probe_idle(w, FILCH__EVENT_LOOKOUT);
		filch__lookout_sleep(w, w->begging ? nap_ns(w) : UINT64_MAX);
		filch__probe_idle(w, FILCH__EVENT_SEARCH);
		found = filch__from_own(w, job);
	} else {
		filch__stir_own(w);
		filch__probe_idle(w, w->begging ? FILCH__EVENT_NAP : FILCH__EVENT_PARK);
		if (w->begging)
			filch__park_nap(lot, w->index, nap_ns(w));
		else
			filch__park_sleep(lot, w->index);
		filch__probe_idle(w, FILCH__EVENT_SEARCH);
	}
	if (FILCH_UNLIKELY(load_rlx(&w->steered))) /* a hint: else the next time */
		unsteer(w);
	w->fruitless += w->begging;
	return found;
}

static bool spin(struct filch__worker *w, struct filch__job *job)
{
	uint64_t end = filch__now_ns() + SPIN_NS / 4;

	if (w->pool->workers == 1) /* nobody does anything meanwhile */
		return filch__from_own(w, job);
	do {
		if (filch__steal(w, job) || filch__from_own(w, job))
			return true;
		for (int k = 0; k < 20; k++)
			filch__relax();
	} while (filch__now_ns() < end);
	return false;
}

/* Who has just been of use goes on asking for a while: loops come one after the other, and to
 * be woken takes longer than many of them. */
static bool linger(struct filch__worker *w, struct filch__strand *until,
                   struct filch__job *job)
{
	uint64_t end = filch__now_ns() + LINGER_NS;

	while (w->useful && busy(w) && busy(w) < w->pool->cpus && !ended(w, until) &&
	       beg(w)) {
		filch__look(w);
		if (spin(w, job) || ask(w, job))
			return true;
		w->useful = filch__now_ns() < end;
	}
	return false;
}

static void become_idle(struct filch__worker *w)
{
	if (load_rlx(&w->busy)) {                    /* own word */
		store_rlx(&w->busy, 0);              /* a hint */
		add_rlx(&w->pool->busy, UINT32_MAX); /* a count */
	}
	store_rlx(&w->asked, 0); /* nothing to expose here */
	w->noted = 0;
}

void filch__become_busy(struct filch__worker *w)
{
	if (load_rlx(&w->busy)) /* own word */
		return;
	w->barren = 0;
	store_rlx(&w->ask_after, 0); /* a hint */
	store_rlx(&w->busy, 1);      /* a hint */
	add_rlx(&w->pool->busy, 1);  /* ordered by the fence */
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: who goes
	 * to sleep misses that this worker is busy, or not on the lookout any more, while
	 * this one misses that nobody begs, or is. */
	fence_sc();
	if ((!load_rlx(&w->pool->beggar) || /* ordered by the fence */
	     filch__unwatched(w->pool)) &&
	    !load_rlx(&w->pool->searching) && /* ordered by the fence */
	    load_rlx(&w->pool->lot.idle) &&   /* ordered by the fence */
	    filch__park_notify_slow(&w->pool->lot))
		FILCH__COUNT(w, woken, 1);
}

/* ---- shelves ---- */

/* What strands hide that have stopped here. */
static bool from_shelf(struct filch__worker *w, struct filch__job *job)
{
	return !filch__shelf_empty(&w->shelf) && filch__shelf_sweep(w, w, SWEEPS) &&
	       filch__from_own(w, job);
}

/* What they hide that have stopped where somebody is busy: not so often that it is in the
 * way there. Those who are not busy sweep for themselves. */
static bool from_shelves(struct filch__worker *w, struct filch__job *job)
{
	struct filch_pool *p = w->pool;
	uint64_t now = filch__now_ns();
	bool found = false;

	if (now < w->shelves_after)
		return false;
	for (uint32_t i = 0; i < p->workers && !found; i++)
		if (load_rlx(&p->worker[i].busy)) /* a hint */
			found = filch__shelf_sweep(w, &p->worker[i], SWEEPS);
	w->shelves_ns = found ? SHELVES_NS : w->shelves_ns * 2;
	if (w->shelves_ns < SHELVES_NS)
		w->shelves_ns = SHELVES_NS;
	if (w->shelves_ns > SHELVES_MOST_NS)
		w->shelves_ns = SHELVES_MOST_NS;
	w->shelves_after = now + w->shelves_ns;
	return found && filch__from_own(w, job);
}

/* The beggar asks those who are busy; seldom if they take each other's processors as it is, but
 * then, too: one may be in a system call that waits for what it hides. */
static bool beg_for(struct filch__worker *w, struct filch__job *job)
{
	bool may_ask = busy(w) < w->pool->cpus || w->fruitless % NAPS_CROWDED == 0;

	return w->begging && ((may_ask && ask(w, job)) || from_shelves(w, job));
}

/* Nothing at hand. True with a job; false if the pool stops, or `until` may go on. */
static bool wait_for_job(struct filch__worker *w, struct filch__strand *until,
                         struct filch__job *job)
{
	_Atomic(uint32_t) *searching = &w->pool->searching;
	bool found;

	become_idle(w);
	/* Who searches need not be called: it looks once more after it has stopped to be
	 * counted, behind the fence of its announcement. */
	add_rlx(searching, 1); /* ordered by that fence */
	found = spin(w, job) || ask(w, job) || from_shelves(w, job) ||
	        linger(w, until, job);
	while (!found && !ended(w, until)) {
		if (w->fruitless > NAPS_IDLE && !busy(w))
			stop_begging(w);
		if (!filch__shelf_empty(&w->shelf) && filch__deque_ready(w)) {
			filch__look(w);
			found = from_shelf(w, job) || filch__from_own(w, job);
			continue;
		}
		if (!busy(w) && filch__stacks_tend(&w->pool->stacks)) {
			filch__look(w);
			found = filch__from_own(w, job) || filch__steal(w, job);
			continue;
		}
		add_rlx(searching, UINT32_MAX); /* ordered by that fence */
		found = sleep_on(w, until, job);
		add_rlx(searching, 1); /* ordered by that fence */
		if (!found)
			found = spin(w, job) || beg_for(w, job);
	}
	add_rlx(searching, UINT32_MAX); /* ordered by that fence */
	stop_begging(w);
	filch__ask_no_more(w);
	filch__lookout_drop(w);
	w->useful = found;
	if (FILCH_UNLIKELY(load_rlx(&w->steered))) /* a hint: else the next time */
		unsteer(w);
	return found;
}

static struct filch__deque *deque_new(struct filch__worker *w,
                                      enum filch__queue_kind kind)
{
	struct filch__deque *d = filch__deque_new(kind, w->pool->settings.block_size);

	if (d) {
		d->next_all = w->all_deques;
		w->all_deques = d;
	}
	return d;
}

/* One at hand at any time: so that a signal handler finds one. */
bool filch__deque_ready(struct filch__worker *w)
{
	if (!w->deques)
		w->deques = deque_new(w, w->pool->settings.queue);
	return w->deques;
}

bool filch__carrier_ready(struct filch__worker *w)
{
	if (!w->carrier && w->carriers) {
		w->carrier = w->carriers;
		w->carriers = w->carrier->next;
	} else if (!w->carrier) {
		w->carrier = deque_new(w, filch__queue_bwos_lifo);
		if (w->carrier)
			w->carrier->carrier = true;
	}
	return w->carrier;
}

struct filch__deque *filch__deque_attach(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__deque *d = w->deques;

	if (d) {
		w->deques = d->next;
		s->deque = d;
	}
	return d;
}

void filch__work(struct filch__worker *w, struct filch__strand *until)
{
	while (!ended(w, until)) {
		struct filch__job job = {NULL, NULL};

		filch__look(w);
		if (!filch__from_own(w, &job) && !from_shelf(w, &job) &&
		    !filch__steal(w, &job) && !wait_for_job(w, until, &job))
			break;
		filch__deque_ready(w); /* here: a sweep may have used the last one */
		filch__become_busy(w);
		filch__stir_own(w);
		if (job.strand) {
			filch__strand_run(w, job.strand);
		} else {
			filch__record_start(w, job.record);
		}
	}
}

void filch__worker_main(struct filch__worker *w)
{
	self = w;
	w->inside = 1;
	filch__fiber_adopt(&w->base);
	filch__probe_idle(w, FILCH__EVENT_SEARCH);
	filch__work(w, NULL);
	filch__probe_idle(w, FILCH__EVENT_GONE);
	become_idle(w);
	filch__fiber_destroy(&w->base);
	self = NULL;
}

void filch__worker_forget(void)
{
	self = NULL;
}
