/* SPDX-License-Identifier: MIT */
/*
 * The common part of the clients of waits: one strand that waits, played by the client's
 * main thread. When it stops, another thread plays its worker, which then is on another
 * stack, and may not be done there when the strand resumes. The strand's frame is
 * allocated, and freed as soon as the wait is over: so the checker sees a thread that
 * touches it too late.
 *
 * Being made ready is one word here. The clients of sched/frame.h have the real scheduler,
 * whose fence makes the search a long one.
 */
#ifndef VERIFY_WAIT_WAITS_H
#define VERIFY_WAIT_WAITS_H

#include <string.h>

#include "client.h"
#include "strand/tasks.h"
#include "wait/wait.c"

/* The frame of the waiting strand. */
struct frame {
	struct filch__wait wait;
	struct filch__waiter x[2];
	int got; /* plain: what is handed over */
};

/* A thing that can be waited for, once: a number. */
struct thing {
	struct filch__waiters waiters;
	int there;  /* under the lock */
	bool given; /* to the strand that was waiting; its giver's own */
};

struct play {
	struct filch_pool own_pool, *pool;
	struct filch__timers timers;
	struct filch__seat seat; /* of the worker that the strand stops on */
	struct filch__seat lookout;
	struct filch__strand own_strand, *strand;
	_Atomic(uint32_t) goes_on; /* the strand's turn has come */
	_Atomic(uint32_t) called;  /* the worker that a thread outside is */
	filch__arm_fn *arm;
	void *arg;
	client_thread thread; /* its worker's, from then on */
	bool stopped;
	struct filch_pool *lends; /* a seat to a thread outside that waits, or NULL */
	struct thing thing[2];
};

static struct play *play;

static inline void play_begin(struct play *begun)
{
	play = begun;
	play->pool = &play->own_pool;
	play->strand = &play->own_strand;
	play->lookout.worker.pool = play->pool;
	play->pool->timers = &play->timers;
	play->pool->rows = 1;
	atomic_init(&play->timers.earliest, UINT64_MAX);
	play->strand->ready.kind = FILCH__READY_STRAND;
	play->strand->pool = play->pool;
	play->strand->stack = (struct filch__stack *)play->strand;
}

static inline void play_end(void)
{
	if (play->stopped)
		client_join(play->thread);
	CHECK(play->timers.count == 0);
	for (int i = 0; i < 2; i++)
		CHECK(filch__list_empty(&play->thing[i].waiters.list));
}

static inline void go_on(void)
{
	CHECK(add_rel(&play->goes_on, 1) == 0);
	filch__futex_wake(&play->goes_on, 1);
}

void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r)
{
	(void)w;
	CHECK(r == &play->strand->ready);
	go_on();
	CHECK(pool->cpus == 0); /* the pool is still there, to call a worker of it */
}

/* Either all threads that wake the strand are workers of the pool, or none is. */
struct filch__worker *filch__worker_of(struct filch_pool *pool)
{
	return pool == &play->own_pool ? &play->seat.worker : NULL;
}

/* What a thread outside does that is lent a seat, without the scheduler: it sleeps until
 * its worker is called. */
bool filch__borrow(struct filch_pool *pool, struct filch__loan *loan,
                   _Atomic(uint32_t) *until)
{
	loan->seat = &play->seat;
	loan->until = until;
	play->seat.worker.pool = pool;
	return true;
}

void filch__loan_work(struct filch__loan *loan)
{
	while (!load_acq(loan->until))
		filch__futex_wait(&play->called, 0);
}

void filch__give_back(struct filch__loan *loan)
{
	CHECK(loan->seat->worker.pool->cpus == 0); /* the pool is still there */
}

void filch__call_worker(struct filch__worker *w)
{
	CHECK(w->pool->cpus == 0); /* as above */
	store_rlx(&play->called, 1);
	filch__futex_wake(&play->called, 1);
}

struct filch__worker *filch__worker_self(void)
{
	return &play->seat.worker;
}

static inline void *leave_strand(void *arg)
{
	if (!play->arm(play->arg, play->strand))
		go_on();
	return arg;
}

void filch__suspend_shelved(filch__arm_fn *how, void *arg, struct filch__reason reason)
{
	(void)reason;
	play->arm = how;
	play->arg = arg;
	play->stopped = true;
	filch__strand_wait(play->strand);
	play->thread = client_spawn("worker", leave_strand, 0);
	while (!load_acq(&play->goes_on))
		filch__futex_wait(&play->goes_on, 0);
	filch__strand_set(play->strand, FILCH__ACTIVE);
}

void filch__keep_worker(bool yields)
{
	CHECK(yields);
	COVER("not to be waited for");
}

/* As filch__wait() has it before the strand stops, with places in the first n lists. */
static inline struct frame *frame_new(uint32_t n)
{
	/* All but the two atomics are cleared. */
	struct frame *f = malloc(sizeof *f);
	const size_t from = offsetof(struct frame, wait.pool);
	const size_t fired = offsetof(struct frame, wait.timer.fired);
	const size_t after = fired + sizeof f->wait.timer.fired;

	memset((char *)f + from, 0, fired - from);
	memset((char *)f + after, 0, sizeof *f - after);
	atomic_init(&f->wait.claimed, 0);
	atomic_init(&f->wait.timer.fired, 0);
	f->wait.pool = play->pool;
	f->wait.waiter = f->x;
	f->wait.waiters = n;
	for (uint32_t i = 0; i < n; i++)
		f->x[i] = (struct filch__waiter){.list = &play->thing[i].waiters,
		                                 .data = &f->got,
		                                 .index = i,
		                                 .wait = &f->wait};
	return f;
}

static inline bool is_there(struct frame *f)
{
	for (uint32_t i = 0; i < f->wait.waiters; i++)
		if (play->thing[i].there)
			return true;
	return false;
}

static inline void wait_until(struct frame *f, uint64_t deadline)
{
	if (f->wait.pool) {
		f->wait.timed = deadline != FILCH_NEVER;
		f->wait.timer.in = &play->timers;
		f->wait.timer.deadline = deadline;
		wait_on_strand(&f->wait);
	} else {
		wait_on_thread(&f->wait, deadline, play->lends);
	}
}

/* Waits for one of the things. Returns 1 + the index of the thing that was given, 0 if the
 * wait ended without one, -1 if one was there. The frame is gone then, and what was given is
 * in *got. */
static inline int wait_for(struct frame *f, uint64_t deadline, int *got)
{
	int which = -1;

	filch__lists_lock(f->x, f->wait.waiters);
	if (is_there(f)) {
		filch__lists_unlock(f->x, f->wait.waiters);
	} else {
		for (uint32_t i = 0; i < f->wait.waiters; i++)
			link_up(&f->x[i]);
		wait_until(f, deadline);
		which = (int)load_rlx(&f->wait.claimed);
	}
	*got = f->got;
	free(f);
	return which;
}

/* Gives it to the strand that waits, or leaves it there. */
static inline void give(struct thing *t, int what)
{
	struct filch__wakeup wakeup;
	struct filch__waiter *x;

	filch__lock(&t->waiters.lock);
	x = filch__claim_first(&t->waiters, &wakeup);
	t->given = x;
	if (x)
		*(int *)x->data = what;
	else
		t->there = what;
	filch__unlock(&t->waiters.lock);
	if (x)
		filch__wakeup(&wakeup);
}

static inline void *giver_1(void *arg)
{
	give(&play->thing[0], 7);
	return arg;
}

static inline void *giver_2(void *arg)
{
	give(&play->thing[1], 8);
	return arg;
}

#endif
