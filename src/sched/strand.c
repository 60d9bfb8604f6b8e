/* SPDX-License-Identifier: MIT */
#include "sched/strand.h"

#include <assert.h>
#include <stdlib.h>

#include "base/futex.h"
#include "sched/expose.h"
#include "sched/loose.h"
#include "sched/misuse.h"
#include "sched/probe.h"
#include "sched/record.h"
#include "sched/run.h"
#include "sched/worker.h"

/* ---- beginning and ending ---- */

void filch__root_done(struct filch__root *root)
{
	/* S4 release: pairs with the acquire in filch__root_wait(); carries the result. */
	store_rel(&root->done, 1);
	filch__futex_wake(&root->done, 1); /* on an address only: root may be gone */
}

void filch__root_wait(struct filch__root *root)
{
	/* S4 acquire: pairs with the release in filch__root_done(); carries the
	 * result. */
	while (!load_acq(&root->done))
		filch__futex_wait(&root->done, 0);
}

void filch__strand_past(struct filch__strand *s)
{
	static const struct filch__task left = {"a task of a group", NULL, 0, NULL};
	static struct filch__record past = {.task = &left};

	s->record = &past;
}

/* Runs the record that the strand was begun for, and tells who waits for it. */
static void run_record(struct filch__strand *s)
{
	struct filch__record *r = s->record;
	const struct filch__task *task = filch__record_task(r);
	bool joined = task->size != 0;
	uintptr_t waiter;

	task->run(r);
	if (!joined)
		return; /* it has seen to that itself */
	filch__strand_past(s);
	waiter = filch__record_done(r);
	if (waiter & FILCH__IS_ROOT)
		filch__root_done((struct filch__root *)(waiter & ~FILCH__IS_ROOT));
	else if (waiter != FILCH__RUNNING)
		filch__wake(((struct filch__strand *)waiter)->pool,
		            (struct filch__strand *)waiter);
}

/* For whoever has a look. */
static void now_runs(struct filch__worker *w, struct filch__strand *s,
                     const struct filch__task *task)
{
	store_rlx(&s->runs, task);    /* a look only */
	store_rlx(&w->running, task); /* as above */
}

/* Runs what is left of tasks that were spawned into groups here. */
static void run_loose(struct filch__strand *s)
{
	for (;;) {
		struct filch__worker *w = filch__worker_self();
		struct filch__loose *l = NULL;
		filch_entry e;

		filch__enter(w);
		if (s->newest)
			l = filch__loose_pop(s);
		else if (s->deque && filch__deque_get(s->deque, &e) == FILCH_OK)
			l = (struct filch__loose *)e;
		filch__leave(w);
		if (!l)
			return;
		assert(filch__is_loose(&l->head));
		now_runs(w, s, filch__users_task(&l->head));
		filch__probe_task(w, &l->head);
		filch__record_task(&l->head)->run(&l->head);
		filch__probe_task_end(filch__worker_self());
	}
}

static void strand_init(struct filch__strand *s, struct filch_pool *pool,
                        struct filch__record *r, char *lo, char *hi)
{
	s->ready.kind = FILCH__READY_STRAND;
	s->pool = pool;
	filch__strand_set(s, FILCH__ACTIVE);
	s->lo = lo;
	s->hi = hi;
	s->deque = NULL;
	s->record = r;
	store_rlx(&s->runs, filch__users_task(r)); /* a look only */
	s->shelf = NULL;
	s->swept = NULL;
	s->newest = s->oldest = NULL;
	s->group = filch__is_loose(r) ? NULL : r->group;
	s->scope = NULL;
	s->exceptions = (struct filch__exceptions){NULL, 0};
}

static void strand_main(void *arg);

static struct filch__strand *strand_new(struct filch__worker *w, struct filch__record *r)
{
	struct filch__stack *stack = filch__stack_take(&w->pool->stacks, &w->stacks);
	struct filch__strand *s;

	if (!stack)
		return NULL;
	s = filch__strand_of(stack);
	strand_init(s, w->pool, r, stack->lo, (char *)s);
	s->stack = stack;
	filch__fiber_init(&s->fiber, stack->lo, s, strand_main, s);
	return s;
}

static void deque_detach(struct filch__worker *w, struct filch__strand *s)
{
	if (!s->deque)
		return;
	s->deque->next = w->deques;
	w->deques = s->deque;
	s->deque = NULL;
}

static void strand_end(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__stack *stack = s->stack;

	deque_detach(w, s);
	store_rlx(&s->runs, NULL); /* a look only */
	filch__fiber_destroy(&s->fiber);
	filch__stack_give(&w->pool->stacks, &w->stacks, stack);
}

/* ---- stopping and going on ---- */

void filch__deque_show(struct filch__worker *w, struct filch__deque *d)
{
	if (d->kind == filch__queue_bwos_fifo)
		filch__deque_empty_out(w, d);
	else if (filch__deque_list(d))
		filch__make_ready(w->pool, w, &d->ready);
}

/* The strand has stopped to wait. False if there is nothing to wait for. */
static bool settle(struct filch__worker *w, struct filch__strand *s)
{
	FILCH__COUNT(w, suspended, 1);
	filch__strand_wait(s);
	if (s->deque && !filch__deque_is_empty(s->deque))
		filch__deque_show(w, s->deque);
	else
		deque_detach(w, s);
	if (w->after == FILCH__SHELVED)
		filch__shelve(w, s); /* before anybody can wake it */
	filch__probe_stop(w, s, s->reason);
	return w->arm(w->arm_arg, s);
}

/* Does what is to be done about the strand that the worker has left. Caller: on the stack
 * that it has gone to; so nobody is on that strand's. Returns it if it has nothing to wait
 * for after all. */
static struct filch__strand *arrive(struct filch__worker *w)
{
	struct filch__strand *s = w->left;

	w->left = NULL;
	if (!s)
		return NULL;
	if (w->after == FILCH__WAITS || w->after == FILCH__SHELVED)
		return settle(w, s) ? NULL : s;
	if (w->after == FILCH__YIELDS) {
		filch__strand_set(s, FILCH__RESUMABLE);
		filch__make_ready(w->pool, w, &s->ready);
	} else {
		strand_end(w, s);
	}
	return NULL;
}

static void begin(struct filch__worker *w, struct filch__strand *s)
{
	FILCH__COUNT(w, resumed, 1);
	if (s->shelf)
		filch__unshelve(s);
	filch__strand_set(s, FILCH__ACTIVE);
	w->active = s;
	store_rlx(&w->running, load_rlx(&s->runs)); /* a look only */
	filch__offer(w, s->deque);
	filch__probe_run(w, s);
}

/* Of the C++ runtime. NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern struct filch__exceptions *__cxa_get_globals(void) __attribute__((weak));

static void keep_exceptions(struct filch__strand *s)
{
	if (__cxa_get_globals) /* a C++ program */
		s->exceptions = *__cxa_get_globals();
}

static void restore_exceptions(const struct filch__strand *s)
{
	if (__cxa_get_globals)
		*__cxa_get_globals() = s->exceptions;
}

/* Leaves the active strand: for the next one in the worker's own set, or for the scheduler,
 * if there is none or the strand may have to go on at once. Returns when it goes on, on
 * whatever worker; not if it has ended. */
static void go(struct filch__worker *w, enum filch__after after)
{
	struct filch__strand *s = w->active;
	struct filch__strand *next = (after == FILCH__ENDED || after == FILCH__YIELDS) &&
	                                             w->deques
	                                     ? filch__next_own(w)
	                                     : NULL;

	w->left = s;
	w->after = after;
	if (after == FILCH__ENDED)
		filch__probe_stop(w, s, FILCH__BECAUSE(ended));
	else if (after == FILCH__YIELDS)
		filch__probe_stop(w, s, FILCH__BECAUSE(yield));
	keep_exceptions(s);
	if (next) {
		begin(w, next);
		filch__fiber_switch(&s->fiber, &next->fiber, after == FILCH__ENDED);
	} else {
		filch__fiber_switch(&s->fiber, &w->base, after == FILCH__ENDED);
	}
	restore_exceptions(s);
	w = filch__worker_self();
	arrive(w);
	filch__leave(w);
}

void filch__strand_run(struct filch__worker *w, struct filch__strand *s)
{
	while (s) {
		begin(w, s);
		filch__fiber_switch(&w->base, &s->fiber, false);
		w->active = NULL;
		store_rlx(&w->running, NULL); /* a look only */
		filch__offer(w, NULL);
		s = arrive(w);
	}
}

/* The first and last frame of a strand. */
static void strand_main(void *arg)
{
	struct filch__strand *s = arg;
	struct filch__worker *w = filch__worker_self();

	restore_exceptions(s);
	arrive(w);
	filch__leave(w);
	run_record(s);
	run_loose(s);
	w = filch__worker_self();
	if (!w)
		filch__misuse("fork", "a task that has forked must not return in the "
		                      "child, which has no workers; call _exit");
	filch__enter(w);
	go(w, FILCH__ENDED);
	__builtin_unreachable();
}

/* For a strand in place, whose memory is kept as long as the pool: a late ticket may point
 * to it. `last` is for when there is not even that much memory. */
static struct filch__place *place_take(struct filch__worker *w, struct filch__place *last)
{
	struct filch__place *p = w->places;

	if (p) {
		w->places = p->next;
		return p;
	}
	p = calloc(1, sizeof *p);
	if (p)
		return p;
	atomic_init(&last->strand.state, 0);
	return last;
}

static void place_give(struct filch__worker *w, struct filch__place *p,
                       struct filch__place *last)
{
	if (p == last)
		return;
	p->next = w->places;
	w->places = p;
}

/* Runs a record on the worker's own stack, for want of another. It cannot stop there:
 * when it waits, the worker goes on with other work on top of it. */
static void run_in_place(struct filch__worker *w, struct filch__record *r)
{
	struct filch__place last, *place = place_take(w, &last);
	struct filch__strand *s = &place->strand, *below = w->active;

	FILCH__COUNT(w, in_place, 1);
	strand_init(s, w->pool, r, w->thread_lo, (char *)__builtin_frame_address(0));
	s->stack = NULL;
	w->active = s;
	store_rlx(&w->running, load_rlx(&s->runs)); /* a look only */
	filch__probe_run(w, s);
	filch__leave(w);
	run_record(s);
	run_loose(s);
	filch__enter(w);
	filch__probe_stop(w, s, FILCH__BECAUSE(ended));
	store_rlx(&w->offered, NULL); /* nothing to carry */
	deque_detach(w, s);
	store_rlx(&s->runs, NULL);    /* a look only */
	store_rlx(&w->running, NULL); /* as above */
	place_give(w, place, &last);
	w->active = below;
}

static void wait_in_place(struct filch__worker *w, struct filch__strand *s,
                          filch__arm_fn *arm, void *arg)
{
	struct filch__strand *outer = w->in_place;

	if (s->deque && !filch__deque_is_empty(s->deque))
		filch__deque_show(w, s->deque);
	store_rlx(&w->offered, NULL); /* nothing to carry */
	filch__strand_wait(s);
	filch__probe_stop(w, s, s->reason);
	if (arm(arg, s)) {
		w->in_place = s;
		w->active = NULL;
		store_rlx(&w->running, NULL); /* a look only */
		filch__work(w, s);
		filch__become_busy(w);
		w->in_place = outer;
	}
	w->active = s;
	store_rlx(&w->running, load_rlx(&s->runs)); /* a look only */
	filch__strand_set(s, FILCH__ACTIVE);
	filch__offer(w, s->deque);
	filch__probe_run(w, s);
}

void filch__record_start(struct filch__worker *w, struct filch__record *r)
{
	struct filch__strand *s = strand_new(w, r);

	if (s)
		filch__strand_run(w, s);
	else
		run_in_place(w, r);
}

FILCH_NOINLINE void filch__suspend(filch__arm_fn *arm, void *arg,
                                   struct filch__reason reason)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s = w->active;

	filch__enter(w);
	filch__expose(w, s, __builtin_frame_address(0), SIZE_MAX, false);
	s->reason = reason;
	if (s->stack) {
		w->arm = arm;
		w->arm_arg = arg;
		go(w, FILCH__WAITS);
	} else {
		wait_in_place(w, s, arm, arg);
		filch__leave(w);
	}
}

FILCH_NOINLINE void filch__suspend_shelved(filch__arm_fn *arm, void *arg,
                                           struct filch__reason reason)
{
	struct filch__worker *w = filch__worker_self();

	if (!w->active->stack) {
		filch__suspend(arm, arg, reason);
		return;
	}
	filch__enter(w);
	filch__expose_loose(w, w->active);
	w->active->reason = reason;
	w->arm = arm;
	w->arm_arg = arg;
	go(w, FILCH__SHELVED);
}

/* go() for the only worker there is, when the next is a strand: nobody else can take the one
 * that is left, or ask what state it is in. */
static bool yield_alone(struct filch__worker *w)
{
	struct filch_runq_owner own = filch_runq_owner(&w->ready);
	struct filch__ready *next = (struct filch__ready *)filch_runq_peek(own, 0);
	struct filch__strand *s = w->active;

	if (!next || next->kind != FILCH__READY_STRAND || w->until_inbox-- <= 0)
		return false;
	filch_runq_turn_alone(own, (filch_entry)&s->ready);
	filch__probe_stop(w, s, FILCH__BECAUSE(yield));
	begin(w, (struct filch__strand *)next);
	keep_exceptions(s);
	filch__fiber_switch(&s->fiber, &((struct filch__strand *)next)->fiber, false);
	restore_exceptions(s);
	if (w->left)
		arrive(w);
	filch__leave(w);
	return true;
}

FILCH_NOINLINE void filch__yield(void)
{
	struct filch__worker *w = filch__worker_self();

	if (!w->active->stack)
		return;
	filch__enter(w);
	if (w->pool->workers > 1 || !yield_alone(w))
		go(w, FILCH__YIELDS);
}

struct filch__ticket filch__ticket(struct filch__strand *s)
{
	return (struct filch__ticket){s, load_rlx(&s->state), /* its runner's own */
	                              !s->stack};
}

bool filch__wake_ticket(struct filch_pool *pool, struct filch__ticket t)
{
	struct filch__strand *s = t.strand;

	if (filch__strand_state(t.state) != FILCH__SUSPENDED)
		return false;
	/* S6 release: pairs with the acquire in ended(); carries what the waker did to
	 * one that waits in place. */
	if (!cas_rel(&s->state, &t.state, t.state - FILCH__SUSPENDED + FILCH__RESUMABLE))
		return false;
	if (t.in_place)
		filch__park_notify_all(&pool->lot);
	else
		filch__make_ready(pool, filch__worker_of(pool), &s->ready);
	return true;
}

bool filch__wake(struct filch_pool *pool, struct filch__strand *s)
{
	return filch__wake_ticket(pool, filch__ticket(s)); /* the CAS checks */
}
