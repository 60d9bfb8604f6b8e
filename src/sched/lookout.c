/* SPDX-License-Identifier: MIT */
#include "sched/lookout.h"

#include "base/clock.h"
#include "sched/call.h"
#include "sched/idle.h"
#include "sched/own.h"

#define FIRE_BATCH 64
#define LOOK_EVERY_NS 20000    /* between two looks of a busy worker */
#define LOOK_RARELY_NS 1000000 /* ... that has enough to do */

/* ---- the driver ---- */

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
	 * filch__driver_set(); S11 acquire: when another thread was faster. Carries the
	 * driver. */
	if (!cas_acq_rel(&pool->driver, &seen, d))
		return seen;
	filch__stir(pool); /* a lookout that sleeps on its parker must move to it */
	return d;
}

void filch__lookout_kick(struct filch__lot *lot)
{
	struct filch__driver *d = filch__driver((struct filch_pool *)lot);

	assert(d); /* only a worker in the driver is kicked */
	d->kick(d);
}

/* ---- the role ---- */

static bool take_role(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;
	uint32_t none = 0;

	return !load_rlx(&p->lookout) &&                          /* the CAS re-checks */
	       cas_rlx(&p->lookout, &none, me->worker.index + 1); /* a role, no data */
}

bool filch__lookout_take(struct filch__seat *me)
{
	if (me->watch.watching || !filch__unwatched(me->worker.pool))
		return me->watch.watching;
	me->watch.watching = take_role(me);
	/* P1 seq_cst: pairs with the fence in filch__stir(); forbidden: this worker
	 * misses a timer, while the thread that has set it sees the lookout before
	 * this one. */
	fence_sc();
	return me->watch.watching;
}

void filch__lookout_drop(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;

	if (!me->watch.watching)
		return;
	assert(load_rlx(&p->lookout) == me->worker.index + 1); /* its own role */
	store_rlx(&p->lookout, 0); /* ordered by the caller's fence */
	me->watch.watching = false;
}

/* Gives up the role that a busy worker took for one look. */
static void leave_role(struct filch__seat *me)
{
	struct filch_pool *p = me->worker.pool;

	store_rlx(&p->lookout, 0); /* ordered by the fence */
	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: a worker
	 * that goes to sleep misses that there is no lookout, while this one misses that
	 * it is idle. */
	fence_sc();
	if (filch__tally_any(&p->lot.idle, me->worker.index) &&
	    !filch__tally_near(&p->searching, me->worker.index) && filch__unwatched(p))
		filch__park_notify_slow(&p->lot, me->worker.index);
}

/* ---- events ---- */

/* Timers that are to be fired. */
struct batch {
	struct filch__due due[FIRE_BATCH];
	size_t n;
};

static bool has_any(struct filch__timers *ts)
{
	return load_rlx(&ts->earliest) != UINT64_MAX; /* a look only */
}

static void take_due(struct batch *b, struct filch__timers *ts)
{
	if (has_any(ts))
		b->n += filch__timers_due(ts, filch__now_ns(), b->due + b->n,
		                          FIRE_BATCH - b->n);
}

static bool is_late(struct filch__timers *ts, uint64_t now)
{
	return now > LOOK_RARELY_NS &&
	       load_rlx(&ts->earliest) < now - LOOK_RARELY_NS; /* a look only */
}

static struct filch__timers *own_timers(struct filch__seat *me)
{
	return filch__timers(me->worker.pool, &me->worker);
}

/* The timers of the row that is so many rows behind the worker's own. */
static struct filch__timers *timers_at(struct filch__seat *me, uint32_t rows)
{
	struct filch_pool *p = me->worker.pool;
	uint32_t row = me->worker.index / FILCH__ROW + rows;

	assert(rows < p->rows);
	return &p->timers[row < p->rows ? row : row - p->rows];
}

/* Takes timers that are due, those of the worker's own row first. The lookout sees to all
 * rows; a busy worker looks at one other row, in turn, whether that is late. */
static void take_rows(struct filch__seat *me, struct batch *b)
{
	uint32_t rows = me->worker.pool->rows;
	struct filch__watch *w = &me->watch;

	take_due(b, own_timers(me));
	if (w->watching) {
		for (uint32_t i = 1; i < rows && b->n < FIRE_BATCH; i++)
			take_due(b, timers_at(me, i));
	} else if (rows > 1 && b->n < FIRE_BATCH) {
		if (is_late(timers_at(me, 1 + w->other), w->looked_at))
			take_due(b, timers_at(me, 1 + w->other));
		w->other = (w->other + 1) % (rows - 1);
	}
}

static void fire(struct filch__seat *me)
{
	struct batch b;
	const struct filch__due *due = b.due;

	b.n = 0;
	take_rows(me, &b);
	for (size_t i = 0; i < b.n; i++)
		if (!due[i].timer) {
			filch__fetch((char *)due[i].ticket.strand - FILCH__FRAMES,
			             FILCH__FRAMES + sizeof(struct filch__strand));
			filch__fetch(due[i].also, 1);
		}
	for (size_t i = 0; i < b.n; i++) {
		if (due[i].timer)
			due[i].timer->fire(due[i].timer);
		else
			filch__wake_ticket(me->worker.pool, due[i].ticket);
	}
}

/* Makes ready what may resume, and then calls another worker to help: once, not for each
 * strand. `d` is the driver whose wait() has returned, or NULL. */
static void handle(struct filch__seat *me, struct filch__driver *d)
{
	filch__call_hold(me);
	fire(me);
	if (d)
		d->serve(d);
	filch__call_held(me);
}

/* Returns true if a busy worker should look now. It looks less often while it has enough
 * to do: strands that are made ready would have to wait, and would find no room in its
 * stealable set. */
static bool is_time(struct filch__seat *me, uint64_t now)
{
	uint64_t since = now - me->watch.looked_at;
	size_t ready = filch__own_size(&me->worker);

	if (ready >= FIRE_BATCH)
		return since >= LOOK_RARELY_NS;
	return !ready || since >= LOOK_EVERY_NS ||
	       now >= load_rlx(&own_timers(me)->earliest); /* a look only */
}

/* Returns true if there may be timers for a worker that is not the lookout. A pool of one
 * row leaves them to the lookout, while there is one. */
static bool may_fire(struct filch__seat *me)
{
	return me->worker.pool->rows > 1 &&
	       (has_any(own_timers(me)) || has_any(timers_at(me, 1 + me->watch.other)));
}

/* Returns true if a busy worker may be the lookout for a moment: to poll the driver, or,
 * in a pool of one row, to fire timers. */
static bool may_watch(struct filch_pool *p)
{
	return !load_rlx(&p->lookout) && /* a look only */
	       (load_rlx(&p->driver) ||  /* a look only */
	        (p->rows == 1 && has_any(p->timers)));
}

FILCH_NOINLINE static void look(struct filch__seat *me, bool fires)
{
	struct filch_pool *p = me->worker.pool;
	uint64_t now = filch__now_ns();
	struct filch__driver *d;
	bool watches;

	if (!is_time(me, now))
		return;
	watches = me->watch.watching || (may_watch(p) && take_role(me));
	if (!watches && !fires)
		return;
	me->watch.looked_at = now;
	d = watches ? filch__driver(p) : NULL;
	if (d)
		d->wait(d, 0);
	handle(me, d);
	if (watches && !me->watch.watching)
		leave_role(me);
}

/* Most often there is nothing to look for, and this is done between any two strands. */
void filch__look(struct filch__seat *me)
{
	bool fires = may_fire(me);

	if (FILCH_UNLIKELY(fires || me->watch.watching || may_watch(me->worker.pool)))
		look(me, fires);
}

void filch__lookout_sleep(struct filch__seat *me, uint64_t most)
{
	struct filch_pool *p = me->worker.pool;
	struct filch__driver *d = filch__driver(p);
	uint32_t i = me->worker.index;
	uint64_t now = filch__now_ns(), next = filch__next_timer(p); /* ordered by P1 */
	uint64_t ns = next == UINT64_MAX ? UINT64_MAX : next > now ? next - now : 0;

	assert(me->watch.watching);
	me->watch.stirred = false; /* this worker knows of its own timers */
	if (ns > most)
		ns = most;
	if (d) {
		if (filch__park_watch(&p->lot, i))
			d->wait(d, ns);
		else
			d->wait(d, 0);
		filch__park_cancel(&p->lot, i);
	} else {
		filch__sleep(me, ns);
	}
	handle(me, d);
}

/* ---- a new timer ---- */

void filch__stir(struct filch_pool *p)
{
	uint32_t lookout;

	/* P1 seq_cst: pairs with the fence in filch__park_announce(); forbidden: a worker
	 * that goes to sleep misses the timer or driver, while this one misses the
	 * announcement. */
	fence_sc();
	lookout = load_rlx(&p->lookout); /* ordered by the fence */
	if (lookout)
		filch__park_call(&p->lot, FILCH__OUTSIDE, lookout - 1);
	else if (filch__tally_any(&p->lot.idle, FILCH__OUTSIDE) &&
	         !filch__tally_near(&p->searching, FILCH__OUTSIDE))
		filch__park_notify_slow(&p->lot, FILCH__OUTSIDE);
}

void filch__stir_later(struct filch__worker *w)
{
	filch__seat_of(w)->watch.stirred = true;
}
