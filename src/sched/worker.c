/* SPDX-License-Identifier: MIT */
/*
 * A worker: looks for something to run, runs it, and sleeps when there is nothing.
 */
#include "sched/worker.h"

#include <assert.h>

#include "base/clock.h"
#include "sched/expose.h"
#include "sched/record.h"
#include "sched/run.h"

#define INBOX_BATCH 32      /* what a worker takes from the inbox at a time */
#define INBOX_EVERY 61      /* own work between two looks into the inbox */
#define SPIN_NS 20000       /* how long to look before sleeping */
#define NAP_FIRST_NS 50000  /* the beggar's first nap; each is longer, up to */
#define NAP_MOST_NS 2000000 /* ... this */
#define NAPS_IDLE 32        /* naps with nobody busy before it sleeps for good */

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

/* What to do next: one of the two. */
struct job {
	struct filch__strand *strand;
	struct filch__record *record;
};

void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r)
{
	if (!w || filch_runq_put(filch_runq_owner(&w->ready), (filch_entry)r) != FILCH_OK)
		filch__inbox_put(&pool->inbox, r);
	else if (pool->workers == 1)
		return; /* nobody else to call */
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
	    load_rlx(&pool->busy) < pool->cpus && /* a hint; the beggar makes up for it */
	    filch__park_notify_slow(&pool->lot) && w)
		FILCH__COUNT(w, woken, 1);
}

/* ---- the stealable sets ---- */

/* Lists records that no strand has, in a deque of their own. Those that find no room
 * (there is no memory) are left to this worker. */
static void carry(struct filch__worker *w, filch_entry *e, size_t n)
{
	struct filch__deque *d = w->carrier;
	size_t kept = 0;

	w->carrier = NULL;
	while (kept < n && filch__deque_put(d, e[kept]) == FILCH_OK)
		kept++;
	while (kept < n)
		w->held[w->held_n++] = (struct filch__record *)e[kept++];
	filch__deque_share(d);
	if (filch__deque_list(d))
		filch__make_ready(w->pool, w, &d->ready);
}

/* What a strand that stops has in a FIFO deque, which nobody could answer for. */
void filch__deque_empty_out(struct filch__worker *w, struct filch__deque *d)
{
	filch_entry e[FILCH__BLOCK_STEAL];
	size_t n;

	do {
		if (!filch__carrier_ready(w) || w->held_n)
			return; /* no memory: they wait until the strand goes on */
		for (n = 0; n < FILCH__BLOCK_STEAL; n++)
			if (filch__deque_get(d, &e[n]) != FILCH_OK)
				break;
		if (n)
			carry(w, e, n);
	} while (n == FILCH__BLOCK_STEAL);
}

static bool can_hold(struct filch__worker *w)
{
	return w->pool->settings.block_steal && !w->held_n && filch__carrier_ready(w);
}

static enum filch_result steal_deque(struct filch__worker *w, struct filch__deque *d,
                                     struct job *job)
{
	filch_entry e[FILCH__BLOCK_STEAL];
	size_t n, most = can_hold(w) ? FILCH__BLOCK_STEAL : 1;
	enum filch_result r =
		filch__deque_steal(d, filch__random_next(&w->random), e, most, &n);

	if (r != FILCH_OK) {
		if (r == FILCH_RETRY)
			FILCH__COUNT(w, lost, 1);
		else
			FILCH__COUNT(w, empty, 1);
		return r;
	}
	FILCH__COUNT(w, stolen, n);
	job->record = (struct filch__record *)e[0];
	if (n > 1)
		carry(w, e + 1, n - 1);
	return FILCH_OK;
}

/* Takes one record from a deque that was listed, and lists it again: there may be more. A
 * carrier can be reached by being listed only, so an empty one is the taker's to keep. */
static bool take_deque(struct filch__worker *w, struct filch__deque *d, struct job *job)
{
	enum filch_result r;

	filch__deque_unlist(d);
	do
		r = steal_deque(w, d, job);
	while (r == FILCH_RETRY);
	if (r == FILCH_OK) {
		if (filch__deque_list(d))
			filch__make_ready(w->pool, w, &d->ready);
	} else if (d->carrier) {
		d->next = w->carriers;
		w->carriers = d;
	}
	return r == FILCH_OK;
}

/* A strand that another worker had: ProWS-R's rule is to steal one task from it first, and
 * only then, muggable, it is taken as a whole. */
static bool mug(struct filch__worker *w, struct filch__strand *s, struct job *job)
{
	/* Relaxed: who has taken it from a set is the only one who looks. */
	if (s->deque &&
	    filch__strand_state(load_rlx(&s->state)) == /* see above */
	            FILCH__RESUMABLE &&
	    steal_deque(w, s->deque, job) == FILCH_OK) {
		filch__strand_set(s, FILCH__MUGGABLE);
		filch__make_ready(w->pool, w, &s->ready);
		return true;
	}
	FILCH__COUNT(w, mugged, 1);
	job->strand = s;
	return true;
}

static bool take(struct filch__worker *w, struct filch__ready *r, bool stolen,
                 struct job *job)
{
	switch (r->kind) {
	case FILCH__READY_DEQUE:
		return take_deque(
			w,
			(struct filch__deque *)((char *)r -
		                                offsetof(struct filch__deque, ready)),
			job);
	case FILCH__READY_ROOT:
		job->record = ((struct filch__root *)r)->record;
		job->record->group = NULL;
		return true;
	default:
		if (stolen)
			return mug(w, (struct filch__strand *)r, job);
		job->strand = (struct filch__strand *)r;
		return true;
	}
}

/* ---- looking for work ---- */

/* Takes some of what is in the inbox: the first, and the others into its own set, where
 * they can be stolen. */
static bool from_inbox(struct filch__worker *w, struct job *job)
{
	struct filch__inbox *b = &w->pool->inbox;
	struct filch__ready *r, *rest;

	if (filch__inbox_empty(b))
		return false;
	r = filch__inbox_take(b, INBOX_BATCH);
	if (!r)
		return false;
	for (rest = r->next; rest;) {
		struct filch__ready *next = rest->next;

		if (filch_runq_put(filch_runq_owner(&w->ready), (filch_entry)rest) !=
		    FILCH_OK)
			filch__inbox_put(b, rest);
		rest = next;
	}
	if (r->next || !filch__inbox_empty(b))
		filch__call_somebody(w->pool, w);
	return take(w, r, false, job);
}

/* What waits longest in the worker's own set. */
static struct filch__ready *next_ready(struct filch__worker *w)
{
	struct filch_runq_owner own = filch_runq_owner(&w->ready);
	struct filch__ready *r = w->picked;
	filch_entry e;

	w->picked = NULL;
	if (r)
		return r;
	return (w->pool->workers == 1 ? filch_runq_get_alone(own, &e)
	                              : filch_runq_get(own, &e)) == FILCH_OK
	               ? (struct filch__ready *)e
	               : NULL;
}

struct filch__strand *filch__next_own(struct filch__worker *w)
{
	struct filch__ready *r;

	if (FILCH_UNLIKELY(w->until_inbox-- == 0))
		return NULL;
	r = next_ready(w);
	if (!r || r->kind == FILCH__READY_STRAND)
		return (struct filch__strand *)r;
	w->picked = r; /* for the scheduler, in a moment */
	return NULL;
}

static bool from_own(struct filch__worker *w, struct job *job)
{
	struct filch__ready *r;

	if (w->held_n) {
		job->record = w->held[--w->held_n];
		return true;
	}
	if (w->until_inbox-- <= 0) {
		w->until_inbox = INBOX_EVERY;
		if (from_inbox(w, job))
			return true;
	}
	while ((r = next_ready(w)))
		if (take(w, r, false, job))
			return true;
	return from_inbox(w, job);
}

static bool steal_offered(struct filch__worker *w, struct filch__worker *v, bool dice,
                          struct job *job)
{
	struct filch__deque *d = filch__offered(v);
	enum filch_result r;

	if (!d)
		return false;
	if (dice && !filch__deque_sample(d, filch__random_next(&w->random))) {
		FILCH__COUNT(w, refused, 1);
		return false;
	}
	do
		r = steal_deque(w, d, job);
	while (!dice && r == FILCH_RETRY);
	return r == FILCH_OK;
}

static bool steal_ready(struct filch__worker *w, struct filch__worker *v, struct job *job)
{
	struct filch_runq_thief t =
		filch_runq_thief(&v->ready, filch__random_next(&w->random));
	enum filch_result r;
	filch_entry e;

	if (!filch_runq_size_hint(&v->ready))
		return false;
	do {
		r = filch_runq_steal(&t, &e);
		if (r == FILCH_OK && take(w, (struct filch__ready *)e, true, job))
			return true;
	} while (r != FILCH_EMPTY);
	return false;
}

static bool steal_from(struct filch__worker *w, struct filch__worker *v, bool dice,
                       struct job *job)
{
	return v != w && (steal_ready(w, v, job) || steal_offered(w, v, dice, job));
}

/* A few tries, by the pool's policy. */
static bool steal(struct filch__worker *w, struct job *job)
{
	struct filch_pool *p = w->pool;

	for (uint32_t i = 0; p->workers > 1 && i < 2 * p->workers; i++) {
		size_t v = filch__victims_next(&w->victims);
		bool found = steal_from(w, &p->worker[v], p->settings.probabilistic, job);

		filch__victims_tell(&w->victims, v, found);
		if (found)
			return true;
	}
	return false;
}

/* Everywhere, without dice: the last look before sleeping. */
static bool search(struct filch__worker *w, struct job *job)
{
	struct filch_pool *p = w->pool;

	if (from_own(w, job))
		return true;
	for (uint32_t i = 1; i < p->workers; i++)
		if (steal_from(w, &p->worker[(w->index + i) % p->workers], false, job))
			return true;
	return false;
}

/* ---- begging and sleeping ---- */

static bool ended(struct filch__worker *w, struct filch__strand *until)
{
	if (until) {
		/* S6 acquire: pairs with the release in filch__wake(); carries what the
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
	uint32_t none = 0;

	if (!w->begging && busy(w))
		w->begging = cas_rlx(&w->pool->beggar, &none, 1); /* a role, no data */
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
static bool ask(struct filch__worker *w, struct job *job)
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
		if (steal_offered(w, v, false, job) || steal(w, job))
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
                     struct job *job)
{
	struct filch__lot *lot = &w->pool->lot;
	bool found;

	filch__park_announce(lot, w->index);
	found = search(w, job);
	/* The inbox may be in somebody's hands. */
	if (found || ended(w, until) || !filch__inbox_empty(&w->pool->inbox) ||
	    (!beg(w) && busy(w) && !load_rlx(&w->pool->beggar))) { /* as above */
		if (filch__park_cancel(lot, w->index) && found)
			filch__park_notify(lot);
		return found;
	}
	FILCH__COUNT(w, parked, 1);
	if (w->begging) {
		filch__park_nap(lot, w->index, nap_ns(w));
		w->fruitless++;
	} else {
		filch__park_sleep(lot, w->index);
	}
	return false;
}

static bool spin(struct filch__worker *w, struct job *job)
{
	uint64_t end = filch__now_ns() + SPIN_NS / 4;

	do {
		if (steal(w, job) || from_own(w, job))
			return true;
		for (int k = 0; k < 20; k++)
			filch__relax();
	} while (filch__now_ns() < end);
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
	 * to sleep misses that this worker is busy, while this one misses that nobody
	 * begs. */
	fence_sc();
	if (!load_rlx(&w->pool->beggar) &&  /* ordered by the fence */
	    load_rlx(&w->pool->lot.idle) && /* ordered by the fence */
	    filch__park_notify_slow(&w->pool->lot))
		FILCH__COUNT(w, woken, 1);
}

/* Nothing at hand. True with a job; false if the pool stops, or `until` may go on. */
static bool wait_for_job(struct filch__worker *w, struct filch__strand *until,
                         struct job *job)
{
	bool found;

	become_idle(w);
	found = spin(w, job) || ask(w, job);
	while (!found && !ended(w, until)) {
		if (w->fruitless > NAPS_IDLE && !busy(w))
			stop_begging(w);
		found = sleep_on(w, until, job) || spin(w, job) ||
		        (w->begging && busy(w) < w->pool->cpus && ask(w, job));
	}
	stop_begging(w);
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
static void keep_deque(struct filch__worker *w)
{
	if (!w->deques)
		w->deques = deque_new(w, w->pool->settings.queue);
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

struct filch__deque *filch__deque_attach(struct filch__worker *w)
{
	struct filch__deque *d = w->deques;

	if (d) {
		w->deques = d->next;
		w->active->deque = d;
	}
	return d;
}

void filch__work(struct filch__worker *w, struct filch__strand *until)
{
	while (!ended(w, until)) {
		struct job job = {NULL, NULL};

		keep_deque(w);
		if (!from_own(w, &job)) {
			if (!steal(w, &job) && !wait_for_job(w, until, &job))
				break;
		}
		filch__become_busy(w);
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
	filch__work(w, NULL);
	become_idle(w);
	filch__fiber_destroy(&w->base);
	self = NULL;
}

void filch__worker_forget(void)
{
	self = NULL;
}
