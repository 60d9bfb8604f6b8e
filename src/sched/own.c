/* SPDX-License-Identifier: MIT */
#include "sched/own.h"

#include "base/clock.h"
#include "sched/call.h"
#include "sched/steal.h"
#include "strand/probe.h"
#include "strand/root.h"

#define INBOX_BATCH 32 /* things that a worker takes from the inbox at a time */
#define INBOX_EVERY 63 /* own jobs between two looks into the inbox, at most */
#define INBOX_NS 50000 /* or this long */

int filch__own_init(struct filch__seat *me)
{
	return filch_runq_init(&me->ready, NULL);
}

void filch__own_destroy(struct filch__seat *me)
{
	filch_runq_destroy(&me->ready);
}

size_t filch__own_size(struct filch__worker *w)
{
	return filch_runq_size_hint(&filch__seat_of(w)->ready);
}

size_t filch__own_capacity(const struct filch__worker *w)
{
	return ((const struct filch__seat *)w)->ready.mask + 1;
}

static bool put(struct filch__seat *me, struct filch__ready *r)
{
	return filch_runq_put(filch_runq_owner(&me->ready), (filch_entry)r) == FILCH_OK;
}

void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r)
{
	struct filch__seat *me = w ? filch__seat_of(w) : NULL;

	assert(!w || w->pool == pool);
	if (!me || !put(me, r))
		filch__inbox_put(&pool->inbox, r);
	else if (w->alone)
		return; /* nobody else to call */
	filch__call_soon(pool, me);
}

/* ---- records that belong to no strand ---- */

bool filch__can_carry(struct filch__seat *me)
{
	if (me->own.held_n)
		return false;
	if (!me->own.carrier)
		me->own.carrier = filch__carrier_take(&me->worker);
	return me->own.carrier;
}

void filch__carry(struct filch__seat *me, const filch_entry *e, size_t n)
{
	struct filch__deque *d = me->own.carrier;
	size_t kept = 0;

	assert(d && !me->own.held_n && n <= FILCH__BLOCK_STEAL);
	me->own.carrier = NULL;
	while (kept < n &&
	       filch_bwos_lifo_put(filch__deque_owner(d), e[kept]) == FILCH_OK)
		kept++;
	while (kept < n) /* without memory they are left to this worker */
		me->own.held[me->own.held_n++] = (struct filch__record *)e[kept++];
	filch_bwos_lifo_share(filch__deque_owner(d));
	filch__deque_show(&me->worker, d);
}

/* ---- from something ready to a job ---- */

/* Takes one record from a deque that was listed, and lists the deque again: there may be
 * more. A carrier can be reached only while it is listed, so the taker keeps an empty
 * one. */
FILCH_NOINLINE static bool take_deque(struct filch__seat *me, struct filch__deque *d,
                                      bool stolen, struct filch__job *job)
{
	enum filch_result r;

	filch__deque_unlist(d);
	do
		r = filch__steal_deque(me, d, stolen, job);
	while (r == FILCH_RETRY);
	if (r == FILCH_OK)
		filch__deque_show(&me->worker, d);
	else if (d->carrier)
		filch__carrier_give(&me->worker, d);
	return r == FILCH_OK;
}

/* Takes a strand from another worker's set. By the rule of ProWS-R a thief first steals
 * one task from it, if it can, and makes it MUGGABLE; the next worker takes it as a
 * whole. */
FILCH_NOINLINE static void mug(struct filch__seat *me, struct filch__strand *s,
                               struct filch__job *job)
{
	uint32_t state = load_rlx(&s->state); /* only its holder looks */

	assert(filch__strand_state(state) >= FILCH__RESUMABLE);
	if (s->shelf)
		filch__unshelve(s);
	if (s->deque && filch__strand_state(state) == FILCH__RESUMABLE &&
	    filch__steal_deque(me, s->deque, true, job) == FILCH_OK) {
		filch__strand_set(s, FILCH__MUGGABLE);
		filch__make_ready(me->worker.pool, &me->worker, &s->ready);
		return;
	}
	FILCH__COUNT(&me->worker, mugged, 1);
	job->strand = s;
}

/* ---- things that cannot begin: strand/place.h ---- */

/* Returns the depth of the stack that this wants, or DEPTHS if it has one. */
static enum filch__depth wants(const struct filch__ready *r)
{
	switch (r->kind) {
	case FILCH__READY_DEQUE:
		return FILCH__DEEP;
	case FILCH__READY_ROOT:
		return ((const struct filch__root *)r)->depth;
	default:
		return FILCH__DEPTHS;
	}
}

/* Puts r aside if this worker cannot begin it. A deque stays listed. */
FILCH_NOINLINE static bool put_aside(struct filch__seat *me, struct filch__ready *r)
{
	enum filch__depth depth = wants(r);

	if (depth == FILCH__DEPTHS || !me->worker.places.starved[depth])
		return false;
	filch__inbox_put(&me->worker.pool->aside[depth], r);
	me->own.put_aside = true;
	return true;
}

bool filch__aside_waits(struct filch__seat *me)
{
	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		if (!me->worker.places.starved[d] &&
		    !filch__inbox_empty(&me->worker.pool->aside[d]))
			return true;
	return false;
}

void filch__call_for_aside_slow(struct filch__seat *me)
{
	me->own.put_aside = false;
	filch__call_all(me->worker.pool);
}

bool filch__take_ready(struct filch__seat *me, struct filch__ready *r, bool stolen,
                       struct filch__job *job)
{
	if (FILCH_UNLIKELY(me->worker.places.full[FILCH__SHALLOW]) && put_aside(me, r))
		return false;
	switch (r->kind) {
	case FILCH__READY_DEQUE:
		return take_deque(
			me,
			(struct filch__deque *)((char *)r -
		                                offsetof(struct filch__deque, ready)),
			stolen, job);
	case FILCH__READY_ROOT:
		FILCH__COUNT(&me->worker, stolen, stolen);
		job->record = ((struct filch__root *)r)->record;
		job->record->group = NULL;
		job->depth = ((struct filch__root *)r)->depth;
		return true;
	default:
		if (stolen)
			mug(me, (struct filch__strand *)r, job);
		else
			job->strand = (struct filch__strand *)r;
		return true;
	}
}

/* ---- the inbox ---- */

/* Takes up to `most` entries from a list: the first as a job, the others into the
 * worker's own set, where they can be stolen. */
static bool from_list(struct filch__seat *me, struct filch__inbox *b, size_t most,
                      struct filch__job *job)
{
	struct filch__ready *r, *rest;

	if (filch__inbox_empty(b))
		return false;
	r = filch__inbox_take(b, most);
	if (!r)
		return false;
	for (rest = r->next; rest;) {
		struct filch__ready *next = rest->next;

		if (!put(me, rest))
			filch__inbox_put(b, rest);
		rest = next;
	}
	if (r->next || !filch__inbox_empty(b))
		filch__call_somebody(me->worker.pool, &me->worker);
	filch__probe_inbox(&me->worker);
	return filch__take_ready(me, r, false, job);
}

/* Takes something that was put aside, or else from the inbox. Things that were put aside
 * are taken one by one: there may be a stack for one only. */
static bool from_inbox(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *pool = me->worker.pool;

	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		if (!me->worker.places.starved[d] &&
		    from_list(me, &pool->aside[d], 1, job))
			return true;
	return from_list(me, &pool->inbox, INBOX_BATCH, job);
}

/* Returns the number of jobs until the next look into the inbox. Strands switch to each
 * other without coming through the scheduler, so the number follows the time that the
 * last jobs took. */
static int32_t next_inbox(struct filch__own *own)
{
	uint64_t now = filch__now_ns(), ns = now - own->inbox_at;
	int32_t every = own->inbox_every;

	if (ns > INBOX_NS)
		every = (int32_t)((uint64_t)every * INBOX_NS / ns);
	else
		every = every * 2 + 1;
	own->inbox_at = now;
	own->inbox_every = every < 1 ? 1 : every > INBOX_EVERY ? INBOX_EVERY : every;
	return own->inbox_every;
}

/* ---- the stealable set ---- */

/* Prefetches the next two entries of the set. Most often they are strands that have not
 * run for a while, whose lines are best fetched while another one runs. A strand's
 * frames can be found only if no other worker may take the strand. */
static void fetch_ahead(struct filch__seat *me)
{
	struct filch_runq_owner own = filch_runq_owner(&me->ready);
	struct filch__ready *next = (struct filch__ready *)filch_runq_peek(own, 0);
	char *second = (char *)filch_runq_peek(own, 1);

	if (second)
		filch__fetch(second, sizeof(struct filch__strand));
	if (!next)
		return;
	filch__fetch((char *)next - FILCH__FRAMES, FILCH__FRAMES);
	if (me->worker.alone && next->kind == FILCH__READY_STRAND)
		filch__fetch(((struct filch__strand *)next)->fiber.context.sp,
		             FILCH__FRAMES);
}

/* Takes the entry of the worker's own set that has waited longest. */
static struct filch__ready *next_ready(struct filch__seat *me)
{
	struct filch_runq_owner own = filch_runq_owner(&me->ready);
	struct filch__ready *r = me->own.picked;
	filch_entry e;

	me->own.picked = NULL;
	if (r)
		return r;
	return (me->worker.alone ? filch_runq_get_alone(own, &e)
	                         : filch_runq_get(own, &e)) == FILCH_OK
	               ? (struct filch__ready *)e
	               : NULL;
}

struct filch__strand *filch__next_own(struct filch__worker *w)
{
	struct filch__seat *me = filch__seat_of(w);
	struct filch__ready *r;

	if (FILCH_UNLIKELY(me->own.until_inbox-- <= 0))
		return NULL;
	r = next_ready(me);
	if (!r || r->kind == FILCH__READY_STRAND)
		return (struct filch__strand *)r;
	me->own.picked = r; /* the scheduler takes it in a moment */
	return NULL;
}

struct filch__strand *filch__next_own_for(struct filch__worker *w,
                                          struct filch__strand *instead)
{
	struct filch__seat *me = filch__seat_of(w);
	struct filch_runq_owner own = filch_runq_owner(&me->ready);
	struct filch__ready *next = (struct filch__ready *)filch_runq_peek(own, 0);

	assert(w->alone);
	if (!next || next->kind != FILCH__READY_STRAND || me->own.until_inbox-- <= 0)
		return NULL;
	filch_runq_turn_alone(own, (filch_entry)&instead->ready);
	return (struct filch__strand *)next;
}

bool filch__from_own(struct filch__seat *me, struct filch__job *job)
{
	struct filch__own *own = &me->own;
	struct filch__ready *r;

	assert(me->worker.inside && !me->worker.active);
	if (own->picked && filch__take_ready(me, next_ready(me), false, job))
		return true; /* nobody else can have it */
	if (own->held_n && !me->worker.places.starved[FILCH__DEEP]) {
		assert(own->held_n <= FILCH__BLOCK_STEAL);
		job->record = own->held[--own->held_n];
		return true;
	}
	if (own->until_inbox-- <= 0) {
		own->until_inbox = next_inbox(own);
		if (from_inbox(me, job))
			return true;
	}
	while ((r = next_ready(me))) {
		fetch_ahead(me);
		if (filch__take_ready(me, r, false, job))
			return true;
	}
	return from_inbox(me, job);
}
