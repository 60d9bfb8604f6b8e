/* SPDX-License-Identifier: MIT */
#include "io/helpers.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/fork.h"
#include "pool/pool.h"
#include "wait/wait.h"

#define IDLE_NS (5 * FILCH_S) /* after this time an idle helper ends */
#define WALK 64               /* the requests that the check visits */

struct request {
	struct filch__link link; /* in the queue, with `queued` under the helpers' lock */
	bool queued;
	void (*fn)(void *);
	void *arg;
	struct filch__waiters waiters; /* the strand that waits for it */
	bool done;                     /* under the lock of the waiters */
};

struct helper {
	pthread_t thread;
	struct filch__helpers *helpers;
};

struct filch__helpers {
	pthread_mutex_t lock; /* protects all that follows */
	pthread_cond_t work;  /* something was queued, or `stop` was set */
	pthread_cond_t gone;  /* a helper has ended */
	struct filch__list queue;
	uint32_t queued;
	uint32_t idle; /* helpers that are about to look at the queue, or wait for it */
	uint32_t threads;     /* helpers that have not ended */
	uint32_t limit;       /* constant, and so is this: */
	const sigset_t *mask; /* the signals that helpers block */
	const cpu_set_t *may; /* where they may run; NULL: where the caller may */
	bool stop;
	struct helper *ended; /* the last one that ended, to be joined */
};

/* ---- the queue; caller: holds the lock ---- */

/* Looks at the first WALK requests only: there may be thousands. */
void filch__helpers_check(const struct filch__helpers *h)
{
	const struct filch__link *x = h->queue.first;
	uint32_t n = 0;

	for (; x && n < WALK; x = x->next, n++)
		assert(FILCH__HOLDER((struct filch__link *)x, struct request, link)
		               ->queued);
	assert(x ? h->queued > n : h->queued == n);
	assert(h->idle <= h->threads && h->threads <= h->limit);
	assert(h->threads || !h->queued); /* invariant 8: a helper is there for each */
	assert(!h->stop || !h->queued);
}

static void put(struct filch__helpers *h, struct request *r)
{
	assert(!r->queued && !r->done);
	filch__list_push_last(&h->queue, &r->link);
	r->queued = true;
	h->queued++;
}

static void take(struct filch__helpers *h, struct request *r)
{
	assert(r->queued && h->queued);
	filch__list_remove(&h->queue, &r->link);
	r->queued = false;
	h->queued--;
}

/* ---- a helper ---- */

/* Unlocking is the last access to the request, which ends when its strand resumes. */
static void run(struct request *r)
{
	struct filch__waiter *x;
	struct filch__wakeup wakeup;

	r->fn(r->arg);
	filch__lock(&r->waiters.lock);
	assert(!r->done && !r->queued);
	r->done = true;
	x = filch__claim_first(&r->waiters, &wakeup);
	filch__unlock(&r->waiters.lock);
	if (x)
		filch__wakeup(&wakeup);
}

/* Waits for a request. Returns false if there is none, and the helper must end. */
static bool wait_for_work(struct filch__helpers *h)
{
	uint64_t until = filch__now_ns() + IDLE_NS;
	struct timespec t = {(time_t)(until / FILCH_S), (long)(until % FILCH_S)};
	int err = 0;

	while (filch__list_empty(&h->queue) && !h->stop && !err)
		err = pthread_cond_timedwait(&h->work, &h->lock, &t);
	return !filch__list_empty(&h->queue);
}

/* Runs requests until none has come for a while. Caller: holds the lock. */
static void work(struct filch__helpers *h)
{
	while (wait_for_work(h)) {
		struct request *r = FILCH__HOLDER(h->queue.first, struct request, link);

		take(h, r);
		assert(h->idle);
		h->idle--;
		pthread_mutex_unlock(&h->lock);
		run(r);
		pthread_mutex_lock(&h->lock);
		h->idle++;
		FILCH__CHECK(filch__helpers_check(h));
	}
}

static void join(struct helper *x)
{
	if (x)
		pthread_join(x->thread, NULL);
	free(x);
}

/* A helper that ends joins the one that ended before it. */
static void *helper_main(void *arg)
{
	struct helper *me = arg, *before;
	struct filch__helpers *h = me->helpers;

	pthread_setname_np(pthread_self(), "filch-helper");
	pthread_mutex_lock(&h->lock);
	work(h);
	before = h->ended;
	h->ended = me;
	assert(h->idle && h->threads);
	h->idle--;
	if (!--h->threads)
		pthread_cond_signal(&h->gone);
	FILCH__CHECK(filch__helpers_check(h));
	pthread_mutex_unlock(&h->lock);
	join(before);
	return NULL;
}

/* Starts a helper, with the affinity and the signal mask of the thread that made the
 * pool: the task that needs it may have others. Returns false if the system refuses.
 * Caller: holds the lock. */
static bool start(struct filch__helpers *h)
{
	struct helper *x = malloc(sizeof *x);
	sigset_t old;
	int err;

	assert(h->threads < h->limit && !h->stop);
	if (!x)
		return false;
	x->helpers = h;
	pthread_sigmask(SIG_SETMASK, h->mask, &old);
	err = pthread_create(&x->thread, NULL, helper_main, x);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		free(x);
		return false;
	}
	if (h->may)
		pthread_setaffinity_np(x->thread, sizeof *h->may, h->may);
	h->threads++;
	h->idle++;
	return true;
}

/* ---- life cycle ---- */

static struct filch__lock making; /* protects `helpers` of all pools */

/* Another thread of the parent may have held the lock. */
static void after_fork(void)
{
	making = (struct filch__lock){0};
}

__attribute__((constructor)) static void watch_forks(void)
{
	static struct filch__fork forks = {.child = after_fork};

	filch__fork_watch(&forks);
}

static struct filch__helpers *helpers_new(const struct filch__pool_whole *p)
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
	h->limit = p->settings.helpers;
	h->mask = &p->outside;
	h->may = p->bound.kind == FILCH__HOME_BOUND ? &p->bound.may : NULL;
	return h;
}

static void helpers_destroy(void *helpers)
{
	struct filch__helpers *h = helpers;

	pthread_mutex_lock(&h->lock);
	assert(filch__list_empty(&h->queue)); /* no strand waits when a pool ends */
	h->stop = true;
	pthread_cond_broadcast(&h->work);
	while (h->threads)
		pthread_cond_wait(&h->gone, &h->lock);
	assert(!h->idle && !h->queued);
	pthread_mutex_unlock(&h->lock);
	join(h->ended);
	pthread_cond_destroy(&h->gone);
	pthread_cond_destroy(&h->work);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

struct filch__helpers *filch__helpers(struct filch_pool *pool)
{
	struct filch__pool_whole *whole = filch__pool_whole(pool);
	struct filch__helpers *h;

	filch__lock(&making);
	if (!whole->helpers) {
		whole->helpers = helpers_new(whole);
		whole->helpers_destroy = helpers_destroy;
	}
	h = whole->helpers;
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

/* Queues a request. NOW: there is a helper for it. NEVER: there is no helper at all, and
 * the request is not queued. */
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
	FILCH__CHECK(filch__helpers_check(h));
	pthread_mutex_unlock(&h->lock);
	return turn;
}

/* Takes a request out of the queue. Returns false if a helper has it, or has run it. */
static bool take_back(struct filch__helpers *h, struct request *r)
{
	bool queued;

	pthread_mutex_lock(&h->lock);
	queued = r->queued;
	if (queued)
		take(h, r);
	FILCH__CHECK(filch__helpers_check(h));
	pthread_mutex_unlock(&h->lock);
	return queued;
}

/* Waits until the request was run. */
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
	err = wait_for(&r, FILCH_NEVER, false);
	assert(!err && r.done && !r.queued);
	return err;
}
