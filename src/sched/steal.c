/* SPDX-License-Identifier: MIT */
/*
 * Where a worker finds something to do: in its own stealable set, in the inbox, in the sets
 * and deques of others.
 */
#include <assert.h>

#include "base/clock.h"
#include "sched/probe.h"
#include "sched/run.h"
#include "sched/worker.h"

#define INBOX_BATCH 32 /* what a worker takes from the inbox at a time */
#define INBOX_EVERY 63 /* own work between two looks into the inbox, at most */
#define INBOX_NS 50000 /* or so long */

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

/* `theirs`: it was in another worker's hands. */
static enum filch_result steal_deque(struct filch__worker *w, struct filch__deque *d,
                                     bool theirs, struct filch__job *job)
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
	FILCH__COUNT(w, stolen, theirs ? n : 0);
	job->record = (struct filch__record *)e[0];
	if (n > 1)
		carry(w, e + 1, n - 1);
	return FILCH_OK;
}

/* Takes one record from a deque that was listed, and lists it again: there may be more. A
 * carrier can be reached by being listed only, so an empty one is the taker's to keep. */
static bool take_deque(struct filch__worker *w, struct filch__deque *d, bool stolen,
                       struct filch__job *job)
{
	enum filch_result r;

	filch__deque_unlist(d);
	do
		r = steal_deque(w, d, stolen, job);
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
static bool mug(struct filch__worker *w, struct filch__strand *s, struct filch__job *job)
{
	if (s->shelf)
		filch__unshelve(s);
	/* Relaxed: who has taken it from a set is the only one who looks. */
	if (s->deque &&
	    filch__strand_state(load_rlx(&s->state)) == /* see above */
	            FILCH__RESUMABLE &&
	    steal_deque(w, s->deque, true, job) == FILCH_OK) {
		filch__strand_set(s, FILCH__MUGGABLE);
		filch__make_ready(w->pool, w, &s->ready);
		return true;
	}
	FILCH__COUNT(w, mugged, 1);
	job->strand = s;
	return true;
}

static bool take(struct filch__worker *w, struct filch__ready *r, bool stolen,
                 struct filch__job *job)
{
	switch (r->kind) {
	case FILCH__READY_DEQUE:
		return take_deque(
			w,
			(struct filch__deque *)((char *)r -
		                                offsetof(struct filch__deque, ready)),
			stolen, job);
	case FILCH__READY_ROOT:
		FILCH__COUNT(w, stolen, stolen);
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
static bool from_inbox(struct filch__worker *w, struct filch__job *job)
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
	filch__probe_inbox(w);
	return take(w, r, false, job);
}

/* The next two of the set: most often strands that have not run for a while, whose lines are
 * best fetched while another one runs. Where its frames are can only be seen while nobody
 * else may take it. */
static void fetch_ahead(struct filch__worker *w)
{
	struct filch_runq_owner own = filch_runq_owner(&w->ready);
	struct filch__ready *next = (struct filch__ready *)filch_runq_peek(own, 0);
	char *second = (char *)filch_runq_peek(own, 1);

	if (second)
		filch__fetch(second, sizeof(struct filch__strand));
	if (!next)
		return;
	filch__fetch((char *)next - FILCH__FRAMES, FILCH__FRAMES);
	if (w->pool->workers == 1 && next->kind == FILCH__READY_STRAND)
		filch__fetch(((struct filch__strand *)next)->fiber.context.sp,
		             FILCH__FRAMES);
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

	if (FILCH_UNLIKELY(w->until_inbox-- <= 0))
		return NULL;
	r = next_ready(w);
	if (!r || r->kind == FILCH__READY_STRAND)
		return (struct filch__strand *)r;
	w->picked = r; /* for the scheduler, in a moment */
	return NULL;
}

/* Strands switch to each other without coming here; how many may do so before one does
 * depends on how long it took the last time. */
static int32_t next_inbox(struct filch__worker *w)
{
	uint64_t now = filch__now_ns(), ns = now - w->inbox_at;
	int32_t every = w->inbox_every;

	if (ns > INBOX_NS)
		every = (int32_t)((uint64_t)every * INBOX_NS / ns);
	else
		every = every * 2 + 1;
	w->inbox_at = now;
	w->inbox_every = every < 1 ? 1 : every > INBOX_EVERY ? INBOX_EVERY : every;
	return w->inbox_every;
}

bool filch__from_own(struct filch__worker *w, struct filch__job *job)
{
	struct filch__ready *r;

	if (w->picked && take(w, next_ready(w), false, job))
		return true; /* nobody else can have it */
	if (w->held_n) {
		job->record = w->held[--w->held_n];
		return true;
	}
	if (w->until_inbox-- <= 0) {
		w->until_inbox = next_inbox(w);
		if (from_inbox(w, job))
			return true;
	}
	while ((r = next_ready(w))) {
		fetch_ahead(w);
		if (take(w, r, false, job))
			return true;
	}
	return from_inbox(w, job);
}

bool filch__steal_offered(struct filch__worker *w, struct filch__worker *v, bool dice,
                          struct filch__job *job)
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
		r = steal_deque(w, d, true, job);
	while (!dice && r == FILCH_RETRY);
	if (r == FILCH_OK)
		filch__probe_steal(w, v, job);
	return r == FILCH_OK;
}

static bool steal_ready(struct filch__worker *w, struct filch__worker *v,
                        struct filch__job *job)
{
	struct filch_runq_thief t =
		filch_runq_thief(&v->ready, filch__random_next(&w->random));
	enum filch_result r;
	filch_entry e;

	if (!filch_runq_size_hint(&v->ready))
		return false;
	do {
		r = filch_runq_steal(&t, &e);
		if (r == FILCH_OK && take(w, (struct filch__ready *)e, true, job)) {
			filch__probe_steal(w, v, job);
			return true;
		}
	} while (r != FILCH_EMPTY);
	return false;
}

static bool steal_from(struct filch__worker *w, struct filch__worker *v, bool dice,
                       struct filch__job *job)
{
	return v != w &&
	       (steal_ready(w, v, job) || filch__steal_offered(w, v, dice, job));
}

/* A few tries, by the pool's policy. */
bool filch__steal(struct filch__worker *w, struct filch__job *job)
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
bool filch__search(struct filch__worker *w, struct filch__job *job)
{
	struct filch_pool *p = w->pool;

	if (filch__from_own(w, job))
		return true;
	for (uint32_t i = 1; i < p->workers; i++)
		if (steal_from(w, &p->worker[(w->index + i) % p->workers], false, job))
			return true;
	return false;
}
