/* SPDX-License-Identifier: MIT */
#include "sched/lookout.h"

#include "base/clock.h"
#include "sched/park.h"

#define FIRE_BATCH 64
#define LOOK_EVERY_NS 20000 /* between two looks of a busy worker */
#define LOOK_RARELY_NS 1000000

struct filch__driver *filch__driver(struct filch_pool *pool)
{
	/* S11 acquire: pairs with the release in filch__driver_set(); carries the
	 * driver. */
	return load_acq(&pool->driver);
}

struct filch__driver *filch__driver_set(struct filch_pool *pool, struct filch__driver *d)
{
	struct filch__driver *seen = NULL;

	/* S11 release: pairs with the acquires in filch__driver() and here, in
	 * filch__driver_set(); S11 acquire: when somebody was faster. Carries the
	 * driver. */
	if (!cas_acq_rel(&pool->driver, &seen, d))
		return seen;
	filch__stir(pool); /* whoever sleeps elsewhere shall sleep there */
	return d;
}

static bool take_role(struct filch__worker *w)
{
	uint32_t none = 0;

	return !load_rlx(&w->pool->lookout) &&                  /* the CAS re-checks */
	       cas_rlx(&w->pool->lookout, &none, w->index + 1); /* a role, no data */
}

static void fire(struct filch_pool *p)
{
	struct filch__due due[FIRE_BATCH];
	size_t n;

	if (load_rlx(&p->timers.next) == UINT64_MAX) /* a look only */
		return;
	n = filch__timers_due(&p->timers, filch__now_ns(), due, FIRE_BATCH);
	for (size_t i = 0; i < n; i++)
		if (!due[i].timer) {
			filch__fetch((char *)due[i].ticket.strand - FILCH__FRAMES,
			             FILCH__FRAMES + sizeof(struct filch__strand));
			filch__fetch(due[i].also, 1);
		}
	for (size_t i = 0; i < n; i++) {
		if (due[i].timer)
			due[i].timer->fire(due[i].timer);
		else
			filch__wake_ticket(p, due[i].ticket);
	}
}

/* Makes ready what may go on, and then calls somebody to help: once, not for each. `d`: the
 * driver that has been waited for, or NULL. */
static void handle(struct filch__worker *w, struct filch__driver *d)
{
	w->quiet = FILCH__QUIET;
	fire(w->pool);
	if (d)
		d->serve(d);
	if (w->quiet == FILCH__TO_CALL)
		filch__call_somebody(w->pool, w);
	w->quiet = FILCH__LOUD;
}

/* A busy worker has had its look. */
static void leave_role(struct filch__worker *w)
{
	store_rlx(&w->pool->lookout, 0); /* ordered by the fence */
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: who goes
	 * to sleep misses that nobody is on the lookout, while this one misses that it is
	 * idle. */
	fence_sc();
	if (load_rlx(&w->pool->lot.idle) &&   /* ordered by the fence */
	    !load_rlx(&w->pool->searching) && /* ordered by the fence */
	    filch__unwatched(w->pool))
		filch__park_notify_slow(&w->pool->lot);
}

/* Whether a busy worker should look now. Not so often while it has enough to do: what is
 * made ready would have to wait, and would find no room in its stealable set. */
static bool is_time(struct filch__worker *w, uint64_t now)
{
	uint64_t since = now - w->looked_at;
	size_t ready = filch_runq_size_hint(&w->ready);

	if (ready >= FIRE_BATCH)
		return since >= LOOK_RARELY_NS;
	return !ready || since >= LOOK_EVERY_NS ||
	       now >= load_rlx(&w->pool->timers.next); /* a look only */
}

void filch__look(struct filch__worker *w)
{
	struct filch_pool *p = w->pool;
	struct filch__driver *d;
	uint64_t now;

	if (!w->watching && !filch__unwatched(p))
		return;
	now = filch__now_ns();
	if (!is_time(w, now) || (!w->watching && !take_role(w)))
		return;
	w->looked_at = now;
	d = filch__driver(p);
	if (d)
		d->wait(d, 0);
	handle(w, d);
	if (!w->watching)
		leave_role(w);
}

bool filch__lookout_take(struct filch__worker *w)
{
	if (!w->watching && filch__unwatched(w->pool))
		w->watching = take_role(w);
	return w->watching;
}

void filch__lookout_drop(struct filch__worker *w)
{
	if (w->watching)
		store_rlx(&w->pool->lookout, 0); /* ordered by the caller's fence */
	w->watching = false;
}

void filch__lookout_sleep(struct filch__worker *w, uint64_t most)
{
	struct filch_pool *p = w->pool;
	struct filch__driver *d = filch__driver(p);
	uint64_t now = filch__now_ns(), next = load_rlx(&p->timers.next); /* P1 orders */
	uint64_t ns = next == UINT64_MAX ? UINT64_MAX : next > now ? next - now : 0;

	w->stirred = false; /* this one knows of its own */
	if (ns > most)
		ns = most;
	if (d) {
		if (filch__park_watch(&p->lot, w->index))
			d->wait(d, ns);
		else
			d->wait(d, 0);
		filch__park_cancel(&p->lot, w->index);
	} else if (ns == UINT64_MAX) {
		filch__park_sleep(&p->lot, w->index);
	} else {
		filch__park_nap(&p->lot, w->index, ns);
	}
	handle(w, d);
}

void filch__stir(struct filch_pool *p)
{
	uint32_t lookout;

	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: who goes
	 * to sleep misses the timer or driver, while this one misses the announcement. */
	fence_sc();
	lookout = load_rlx(&p->lookout); /* ordered by the fence */
	if (lookout)
		filch__park_call(&p->lot, lookout - 1);
	else if (load_rlx(&p->lot.idle) && /* ordered by the fence */
	         !load_rlx(&p->searching)) /* ordered by the fence */
		filch__park_notify_slow(&p->lot);
}

void filch__lookout_kick(struct filch__lot *lot)
{
	struct filch__driver *d = filch__driver((struct filch_pool *)lot);

	d->kick(d);
}
