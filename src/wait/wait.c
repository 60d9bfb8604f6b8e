/* SPDX-License-Identifier: MIT */
#include "wait/wait.h"

#include <errno.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/futex.h"
#include "sched/hold.h"
#include "sched/lend.h"
#include "sched/lookout.h"
#include "strand/above.h"
#include "strand/root.h"
#include "wait/cancel.h"
#include "wait/keep.h"

#define WAKE_BATCH 16

/* ---- lists ---- */

static void link_up(struct filch__waiter *x)
{
	x->linked = true;
	filch__list_push_last(&x->list->list, &x->link);
	FILCH__CHECK(filch__waiters_check(x->list));
}

static void unlink_from(struct filch__waiter *x)
{
	assert(x->linked);
	filch__list_remove(&x->list->list, &x->link);
	x->linked = false;
}

void filch__waiters_check(const struct filch__waiters *list)
{
	size_t n = filch__list_check(&list->list, FILCH__CHECK_MOST);

	for (struct filch__link *at = list->list.last; n; at = at->prev, n--) {
		struct filch__waiter *x = FILCH__HOLDER(at, struct filch__waiter, link);

		assert(x->linked && x->list == list && x->index < x->wait->waiters);
		(void)x;
	}
}

void filch__lists_lock(struct filch__waiter *waiter, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!i || waiter[i].list != waiter[i - 1].list)
			filch__lock(&waiter[i].list->lock);
}

/* Unlocks in the same order, so that a strand that is woken meanwhile and locks them all
 * comes after this. */
void filch__lists_unlock(struct filch__waiter *waiter, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct filch__waiters *list = waiter[i].list;

		if (i + 1 == n || waiter[i + 1].list != list)
			filch__unlock(&list->lock);
	}
}

/* ---- the waiter's side ---- */

static void unlink_all(struct filch__wait *w)
{
	for (uint32_t i = 0; i < w->waiters; i++)
		if (w->waiter[i].linked)
			unlink_from(&w->waiter[i]);
}

/* The strand has stopped. Whatever wakes it from here on, the strand first locks the
 * lists, the group and the timers, or it acquires that its timer has fired, which was
 * under the timers' lock; so the last unlock here ends the use of its frame. */
static bool arm(void *arg, struct filch__strand *s)
{
	struct filch__wait *w = arg;
	struct filch__waiter *x = w->waiter;
	struct filch__timers *timers = w->timed ? w->timer.in : NULL;
	uint32_t n = w->waiters;
	bool timed = w->timed, waits = true, next = false;

	w->ticket = filch__ticket(s);
	assert(filch__strand_state(w->ticket.state) == FILCH__SUSPENDED);
	assert(!w->refused && !w->joined && (!timed || !w->timer.place));
	if (timed) {
		w->timer.ticket = w->ticket;
		filch__lock(&timers->lock);
	}
	if (w->group)
		waits = filch__wait_join(w); /* the last use of w, if it has no timer */
	if (timed && waits)
		next = filch__timer_set(&w->timer);
	if (timed)
		filch__unlock(&timers->lock);
	if (next)
		filch__stir_later(filch__worker_self());
	if (!waits) {
		w->refused = true;
		unlink_all(w);
	}
	filch__lists_unlock(x, n);
	return waits;
}

static bool has_fired(struct filch__wait *w)
{
	return w->timed && filch__timer_has_fired(&w->timer);
}

static bool is_cancelled(const struct filch__wait *w)
{
	return w->group && filch__group_cancelled(w->group);
}

static void wait_on_strand(struct filch__wait *w)
{
	filch__suspend_shelved(arm, w,
	                       w->waiters ? w->waiter->reason : FILCH__BECAUSE(sleep));
	if (w->refused) {
		filch__keep_worker(true); /* the strand may retry */
		return;
	}
	if (w->waiters == 1 && !w->timed && !w->group &&
	    load_rlx(&w->claimed)) /* came with the wake-up */
		return;            /* nobody else knew of the wait */
	filch__lists_lock(w->waiter, w->waiters);
	unlink_all(w);
	filch__lists_unlock(w->waiter, w->waiters);
	if (w->timed && !has_fired(w)) /* a hint; the lock decides */
		filch__timer_unset(&w->timer);
	if (w->group)
		filch__wait_leave(w);
}

/* Sleeps until the wait is over, or the deadline has passed. */
static void sleep_out(struct filch__wait *w, uint64_t deadline)
{
	while (!load_rlx(&w->claimed)) { /* the locks below carry the rest */
		uint64_t now = deadline == FILCH_NEVER ? 0 : filch__now_ns();

		if (deadline == FILCH_NEVER)
			filch__futex_wait(&w->claimed, 0);
		else if (now < deadline)
			filch__futex_wait_for(&w->claimed, 0, deadline - now);
		else
			break;
	}
}

/* `pool`: the thread may be a worker there; or NULL. */
static void wait_on_thread(struct filch__wait *w, uint64_t deadline,
                           struct filch_pool *pool)
{
	struct filch__loan loan;

	assert(!w->pool && !w->group);
	if (pool && filch__borrow(pool, &loan, &w->claimed)) {
		filch__tenant_come(pool); /* what it waits for may be done in a moment */
		w->worker = &loan.seat->worker;
	}
	filch__lists_unlock(w->waiter, w->waiters);
	if (w->worker) {
		filch__loan_work(&loan);
		filch__give_back(&loan);
	} else {
		sleep_out(w, deadline);
	}
	filch__lists_lock(w->waiter, w->waiters);
	unlink_all(w);
	filch__lists_unlock(w->waiter, w->waiters);
	if (w->worker) /* only now: who has claimed the wait may still call it */
		filch__tenant_go(pool);
}

/* Fills in what a wait of this worker's strand needs, or of a thread if s is NULL. */
static void prepare(struct filch__wait *w, struct filch__worker *self,
                    struct filch__strand *s, uint64_t deadline, bool cancellable)
{
	atomic_init(&w->claimed, 0);
	w->pool = s ? s->pool : NULL;
	w->worker = NULL;
	w->group = s && cancellable ? filch__group_at(s, w) : NULL;
	w->joined = w->refused = false;
	w->timed = s && deadline != FILCH_NEVER;
	if (!w->timed)
		return;
	w->timer.in = filch__timers(s->pool, self);
	w->timer.deadline = deadline;
	w->timer.fire = NULL;
	w->timer.also = w->group;
	w->timer.place = 0;
	atomic_init(&w->timer.fired, 0);
}

int filch__wait(struct filch__waiter *waiter, uint32_t n, uint64_t deadline,
                bool cancellable)
{
	return filch__wait_for_pool(NULL, waiter, n, deadline, cancellable);
}

int filch__wait_for_pool(struct filch_pool *pool, struct filch__waiter *waiter,
                         uint32_t n, uint64_t deadline, bool cancellable)
{
	struct filch__worker *self = filch__worker_self();
	struct filch__strand *s = self ? self->active : NULL;
	struct filch__wait w;
	uint32_t claimed;

	if (deadline != FILCH_NEVER && filch__now_ns() >= deadline) {
		filch__lists_unlock(waiter, n);
		filch__keep_worker(n == 0); /* a sleep yields */
		return -ETIMEDOUT;
	}
	prepare(&w, self, s, deadline, cancellable);
	w.waiter = waiter;
	w.waiters = n;
	for (uint32_t i = 0; i < n; i++) {
		waiter[i].index = i;
		waiter[i].wait = &w;
		link_up(&waiter[i]);
	}
	if (!s && deadline == FILCH_NEVER)
		add_rlx(&filch__stuck, 1); /* a count */
	if (s)
		wait_on_strand(&w);
	else
		wait_on_thread(&w, deadline,
		               self || deadline != FILCH_NEVER ? NULL : pool);
	if (!s && deadline == FILCH_NEVER)
		add_rlx(&filch__stuck, UINT32_MAX); /* a count */
	if (s && !w.refused)
		s->kept = 0;
	claimed = load_rlx(&w.claimed); /* it no longer changes */
	assert(claimed <= n);
	if (claimed)
		return (int)claimed - 1;
	return !has_fired(&w) && is_cancelled(&w) ? -ECANCELED : -ETIMEDOUT;
}

/* ---- the other side ---- */

bool filch__claim(struct filch__waiter *x, struct filch__wakeup *wakeup)
{
	struct filch__wait *w = x->wait;
	struct filch_pool *used;
	uint32_t none = 0;

	assert(x->wait == w && x->index < w->waiters);
	unlink_from(x);
	/* Relaxed: what is handed over goes with the list's lock, or with the wake-up. */
	if (!cas_rlx(&w->claimed, &none, x->index + 1)) /* see above */
		return false;
	assert(load_rlx(&w->claimed) == x->index + 1); /* it stays so */
	*wakeup =
		(struct filch__wakeup){w->pool, w->ticket, &w->claimed, w->worker, NULL};
	used = w->worker ? w->worker->pool : w->pool;
	if (used && !filch__worker_of(used)) {
		filch__guest_come(used);
		wakeup->used = used;
	}
	return true;
}

void filch__wakeup(const struct filch__wakeup *w)
{
	if (w->pool)
		filch__wake_ticket(w->pool, w->ticket);
	else if (w->worker)
		filch__call_worker(w->worker);
	else
		filch__futex_wake(w->thread, 1); /* uses the address only */
	if (w->used)
		filch__guest_go(w->used);
}

void filch__wake_all(struct filch__waiters *list)
{
	struct filch__wakeup batch[WAKE_BATCH];
	uint32_t n = 0;

	while (filch__claim_first(list, &batch[n])) {
		if (++n < WAKE_BATCH || filch__list_empty(&list->list))
			continue;
		/* The lock is still held, and the next waiter cannot leave without it; so
		 * the thing that the list belongs to is still there. */
		for (; n; n--)
			filch__wakeup(&batch[n - 1]);
	}
	filch__unlock(&list->lock);
	for (uint32_t i = 0; i < n; i++)
		filch__wakeup(&batch[i]);
}

void *filch__me(void)
{
	static _Thread_local char thread;
	struct filch__strand *s = filch__strand_self();

	return s ? (void *)s : (void *)&thread;
}
