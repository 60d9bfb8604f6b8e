/* SPDX-License-Identifier: MIT */
#include "io/helpers.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "sched/wait.h"
#include "sched/worker.h"

#define IDLE_NS (5 * FILCH_S) /* after that a helper that has nothing to do ends */

struct request {
	struct request *next, **link; /* in the queue */
	bool queued;                  /* it is; all three under the helpers' lock */
	void (*fn)(void *);
	void *arg;
	struct filch__waiters waiters; /* and under its lock: */
	bool done;
};

struct helper {
	pthread_t thread;
	struct filch__helpers *helpers;
	struct helper *next; /* of those that have ended */
};

struct filch__helpers {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t work;  /* something was queued, or the end has come */
	pthread_cond_t gone;  /* a helper has ended */
	struct request *first, **last;
	uint32_t queued;
	uint32_t idle; /* helpers that are about to look at the queue, or wait for it */
	uint32_t threads; /* helpers that have not ended */
	uint32_t limit;   /* constant */
	bool stop;
	struct helper *ended; /* to be joined: one, or all of them when they stop */
};

/* ---- the queue; with the lock held ---- */

static void put(struct filch__helpers *h, struct request *r)
{
	r->next = NULL;
	r->link = h->last;
	*h->last = r;
	h->last = &r->next;
	r->queued = true;
	h->queued++;
}

static void take(struct filch__helpers *h, struct request *r)
{
	*r->link = r->next;
	if (r->next)
		r->next->link = r->link;
	else
		h->last = r->link;
	r->queued = false;
	h->queued--;
}

/* ---- a helper ---- */

/* The last access to the request is the unlocking: it is gone when its strand goes on. */
static void run(struct request *r)
{
	struct filch__waiter *x;
	struct filch__wakeup wakeup;

	r->fn(r->arg);
	filch__lock(&r->waiters.lock);
	r->done = true;
	x = filch__claim_first(&r->waiters, &wakeup);
	filch__unlock(&r->waiters.lock);
	if (x)
		filch__wakeup(&wakeup);
}

/* Waits for something to do. False if there is nothing, and the helper is to end. */
static bool wait_for_work(struct filch__helpers *h)
{
	uint64_t until = filch__now_ns() + IDLE_NS;
	struct timespec t = {(time_t)(until / FILCH_S), (long)(until % FILCH_S)};
	int err = 0;

	while (!h->first && !h->stop && !err)
		err = pthread_cond_timedwait(&h->work, &h->lock, &t);
	return h->first;
}

static void work(struct filch__helpers *h)
{
	while (wait_for_work(h)) {
		struct request *r = h->first;

		take(h, r);
		h->idle--;
		pthread_mutex_unlock(&h->lock);
		run(r);
		pthread_mutex_lock(&h->lock);
		h->idle++;
	}
}

static void join(struct helper *list)
{
	while (list) {
		struct helper *next = list->next;

		pthread_join(list->thread, NULL);
		free(list);
		list = next;
	}
}

/* Who ends joins the one that has ended before it. */
static void *helper_main(void *arg)
{
	struct helper *me = arg, *before;
	struct filch__helpers *h = me->helpers;

	pthread_setname_np(pthread_self(), "filch-helper");
	pthread_mutex_lock(&h->lock);
	work(h);
	before = h->ended;
	h->ended = me;
	h->idle--;
	if (!--h->threads)
		pthread_cond_signal(&h->gone);
	me->next = NULL;
	pthread_mutex_unlock(&h->lock);
	join(before);
	return NULL;
}

/* Helpers take no signals but those that a fault raises. */
static void block_signals(sigset_t *old)
{
	static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
	                             SIGTRAP, SIGABRT, SIGSYS};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_SETMASK, &set, old);
}

/* Caller: holds the lock. */
static bool start(struct filch__helpers *h)
{
	struct helper *x = malloc(sizeof *x);
	sigset_t old;
	int err;

	if (!x)
		return false;
	x->helpers = h;
	block_signals(&old);
	err = pthread_create(&x->thread, NULL, helper_main, x);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		free(x);
		return false;
	}
	h->threads++;
	h->idle++;
	return true;
}

/* ---- life cycle ---- */

static struct filch__lock making; /* of all pools' `helpers` */

/* Another thread of the parent may have held it. */
static void after_fork(void)
{
	making = (struct filch__lock){0};
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

static struct filch__helpers *helpers_new(uint32_t limit)
{
	struct filch__helpers *h = calloc(1, sizeof *h);
	pthread_condattr_t monotonic;

	if (!h)
		return NULL;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->work, &monotonic);
	pthread_cond_init(&h->gone, NULL);
	pthread_condattr_destroy(&monotonic);
	h->last = &h->first;
	h->limit = limit;
	return h;
}

static void helpers_destroy(void *helpers)
{
	struct filch__helpers *h = helpers;

	pthread_mutex_lock(&h->lock);
	assert(!h->first); /* nobody waits when a pool ends */
	h->stop = true;
	pthread_cond_broadcast(&h->work);
	while (h->threads)
		pthread_cond_wait(&h->gone, &h->lock);
	pthread_mutex_unlock(&h->lock);
	join(h->ended);
	pthread_cond_destroy(&h->gone);
	pthread_cond_destroy(&h->work);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

struct filch__helpers *filch__helpers(struct filch_pool *pool)
{
	struct filch__helpers *h;

	filch__lock(&making);
	if (!pool->helpers) {
		pool->helpers = helpers_new(pool->settings.helpers);
		pool->helpers_destroy = helpers_destroy;
	}
	h = pool->helpers;
	filch__unlock(&making);
	return h;
}

struct filch__helpers_count filch__helpers_count(struct filch_pool *pool)
{
	struct filch__helpers *h = filch__helpers(pool);
	struct filch__helpers_count c = {0, 0};

	if (!h)
		return c;
	pthread_mutex_lock(&h->lock);
	c = (struct filch__helpers_count){h->threads, h->idle};
	pthread_mutex_unlock(&h->lock);
	return c;
}

/* ---- having something done ---- */

enum turn { NOW, LATER, NEVER };

/* Queues a request. NOW: there is a helper for it. NEVER: there is none at all, and it is
 * not queued. */
static enum turn submit(struct filch__helpers *h, struct request *r)
{
	enum turn turn;

	pthread_mutex_lock(&h->lock);
	put(h, r);
	if (h->queued > h->idle && h->threads < h->limit)
		start(h);
	turn = h->queued <= h->idle ? NOW : h->threads ? LATER : NEVER;
	if (turn == NEVER)
		take(h, r);
	else
		pthread_cond_signal(&h->work);
	pthread_mutex_unlock(&h->lock);
	return turn;
}

/* False if it runs, or has been run. */
static bool take_back(struct filch__helpers *h, struct request *r)
{
	bool queued;

	pthread_mutex_lock(&h->lock);
	queued = r->queued;
	if (queued)
		take(h, r);
	pthread_mutex_unlock(&h->lock);
	return queued;
}

static int wait_for(struct request *r, uint64_t deadline, bool cancellable)
{
	struct filch__waiter x = {.list = &r->waiters, .reason = FILCH__BECAUSE(helper)};
	int got;

	filch__lock(&r->waiters.lock);
	if (r->done) {
		filch__unlock(&r->waiters.lock);
		return 0;
	}
	got = filch__wait(&x, 1, deadline, cancellable);
	return got < 0 ? got : 0;
}

int filch__helpers_run(struct filch_pool *pool, void (*fn)(void *), void *arg,
                       uint64_t deadline, bool cancellable)
{
	struct filch__helpers *h = filch__helpers(pool);
	struct request r = {.fn = fn, .arg = arg};
	enum turn turn;
	int err;

	if (cancellable && filch_cancelled())
		return -ECANCELED;
	turn = h ? submit(h, &r) : NEVER;
	if (turn == NEVER)
		return -EAGAIN;
	if (turn == LATER) {
		err = wait_for(&r, deadline, cancellable);
		if (!err || take_back(h, &r))
			return err;
	}
	return wait_for(&r, FILCH_NEVER, false);
}
