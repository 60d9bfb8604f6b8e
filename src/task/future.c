/* SPDX-License-Identifier: MIT */
/*
 * A future is one block: what its strand is started by, the task with its arguments and
 * later its result, the group that cancels it, and who waits for it. Its strand holds one
 * reference, who has started it another, a deadline that is set a third.
 *
 * A future that is not done is one of its pool's `live`, and so the pool is there as long
 * as somebody holds the lock of such a one.
 */
#include <errno.h>
#include <filch/future.h>
#include <filch/group.h>
#include <filch/pool.h>
#include <limits.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "sched/lookout.h"
#include "sched/misuse.h"
#include "sched/record.h"
#include "sched/run.h"
#include "sched/wait.h"

#define FEW 16 /* futures to wait for at once without memory for it */

struct filch_future {
	alignas(16) _Atomic(uint32_t) references;
	struct filch__waiters waiters; /* and under its lock: */
	bool done;                     /* stays so; then the result may be read */
	bool dropped;                  /* cancelled before it began */
	uint64_t deadline;             /* FILCH_NEVER: none */
	/* The rest is constant, but for what is used by its strand alone. */
	struct filch_pool *pool;       /* there until it is done */
	struct filch__timer timer;     /* under the lock of the pool's timers */
	struct filch_future *awaiting; /* its strand does; under edges_lock */
	struct filch_group group;
	struct filch__root root;
	struct filch__record head;   /* what its strand is begun for */
	struct filch__task task;     /* the head's, with the name of the user's */
	size_t size;                 /* of the inner record */
	struct filch__record *inner; /* right behind this: the user's task */
};

/* For strands whose future is done, and may be gone. */
static const struct filch__task past_task = {"a future that is done", NULL, 0, NULL};
static struct filch__record past = {.task = &past_task};

static struct filch__lock edges_lock;

/* Another thread of the parent may have held it. */
static void after_fork(void)
{
	edges_lock = (struct filch__lock){0};
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

/* ---- plain functions ---- */

struct call {
	struct filch__record head;
	void *(*function)(void *);
	void *argument, *result;
};

static void run_call(struct filch__record *r)
{
	struct call *c = (struct call *)r;

	c->result = c->function(c->argument);
}

static const struct filch__task call_task = {"a plain function", run_call,
                                             sizeof(struct call), NULL};

/* ---- references ---- */

struct filch_future *filch_future_keep(struct filch_future *f)
{
	add_rlx(&f->references, 1); /* the caller has one */
	return f;
}

void filch_future_drop(struct filch_future *f)
{
	/* F1 release, F1 acquire: pairs with itself in filch_future_drop(); carries what
	 * each holder did to whoever frees it. */
	if (f && add_acq_rel(&f->references, UINT32_MAX) == 1)
		free(f);
}

/* ---- running ---- */

static void run_in_group(struct filch_future *f)
{
	struct filch__strand *s = filch__worker_self()->active;
	struct filch__scope here = {&f->group, s->scope};

	s->scope = &here;
	f->inner->task->run(f->inner);
	s->scope = here.outer;
}

/* There will be no result. */
static void leave_out(struct filch_future *f)
{
	memset(f->inner + 1, 0, f->size - sizeof *f->inner);
	f->dropped = true;
}

/* Takes the timer back. Returns whether its reference is the caller's now. Caller: holds
 * the lock of the future, which is not done or just becomes so. */
static bool timer_unset(struct filch_future *f)
{
	struct filch__timers *ts = &f->pool->timers;
	bool unset;

	filch__lock(&ts->lock);
	unset = filch__timer_unset(ts, &f->timer);
	filch__unlock(&ts->lock);
	return unset;
}

/* The pool is no more held by it when the first can know that it is done. From then on only
 * the pool's own threads, which its end waits for, are at it. */
static void end(struct filch_future *f)
{
	bool unset;

	filch__worker_self()->active->record = &past;
	filch__lock(&f->waiters.lock);
	unset = f->deadline != FILCH_NEVER && timer_unset(f);
	f->done = true;
	filch__pool_release(f->pool);
	filch__wake_all(&f->waiters);
	if (unset)
		filch_future_drop(f);
	filch_future_drop(f);
}

static struct filch_future *future_of(struct filch__record *head)
{
	return (struct filch_future *)((char *)head -
	                               offsetof(struct filch_future, head));
}

static void run_future(struct filch__record *head)
{
	struct filch_future *f = future_of(head);

	if (filch_group_cancelled(&f->group))
		leave_out(f);
	else
		run_in_group(f);
	end(f);
}

/* ---- starting ---- */

static void deadline_passed(struct filch__timer *t);

static struct filch_future *future_new(const struct filch__record *r, size_t size)
{
	struct filch_future *f = aligned_alloc(16, sizeof *f + (size + 15) / 16 * 16);

	if (!f)
		return NULL;
	memset(f, 0, sizeof *f);
	atomic_init(&f->references, 2);
	f->deadline = FILCH_NEVER;
	f->timer.fire = deadline_passed;
	f->group.pending = 1;
	f->root.ready.kind = FILCH__READY_ROOT;
	f->root.record = &f->head;
	f->task = (struct filch__task){r->task->name, run_future, 0, NULL};
	f->head.task = &f->task;
	f->size = size;
	f->inner = (struct filch__record *)(f + 1);
	memcpy(f->inner, r, size);
	f->inner->mark = 0;
	return f;
}

static struct filch_pool *pool_for(struct filch_pool *pool)
{
	struct filch__worker *w = filch__worker_self();
	const char *why = NULL;

	if (w && (!pool || w->pool == pool))
		return w->pool;
	if (!pool)
		pool = filch_pool_default(&why);
	if (!pool)
		filch__misuse("FILCH_GO", "the default pool does not start: %s", why);
	if (pool->pid != getpid())
		filch__misuse("FILCH_GO_ON", "the pool belongs to the parent process; "
		                             "make one after fork()");
	return pool;
}

struct filch_future *filch__future_go(struct filch_pool *pool,
                                      const struct filch__record *r, size_t size)
{
	struct filch_future *f = future_new(r, size);
	struct filch__worker *w;

	if (!f)
		return NULL;
	f->pool = pool = pool_for(pool);
	w = filch__worker_of(pool);
	filch__pool_hold(pool);
	if (w) {
		filch__enter(w);
		filch__make_ready(pool, w, &f->root.ready);
		filch__leave(w);
	} else {
		filch__guest_come(pool); /* it may be done in a moment */
		filch__make_ready(pool, NULL, &f->root.ready);
		filch__guest_go(pool);
	}
	return f;
}

struct filch_future *filch_go_on(struct filch_pool *pool, void *(*function)(void *),
                                 void *argument)
{
	struct call c = {{.task = &call_task}, function, argument, NULL};

	return filch__future_go(pool, &c.head, sizeof c);
}

struct filch_future *filch_go(void *(*function)(void *), void *argument)
{
	return filch_go_on(NULL, function, argument);
}

/* ---- who awaits whom ---- */

/* The future that the calling strand was begun for, or NULL. */
static struct filch_future *own_future(void)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__record *r = w && w->active ? w->active->record : NULL;

	return r && filch__record_task(r)->run == run_future ? future_of(r) : NULL;
}

/* Whether the caller is part of the future: its strand, or a task that was stolen from
 * there, or one of a group begun by these. */
static bool is_part_of(struct filch_future *f)
{
	struct filch__worker *w = filch__worker_self();
	struct filch_group *g = w && w->active ? filch__group_at(w->active, &w) : NULL;

	while (g && g != &f->group)
		g = g->parent;
	return g || own_future() == f;
}

/* `self` awaits f from here on. False if that would close a cycle. Those on the way are
 * there as long as they are awaited. */
static bool edge_add(struct filch_future *self, struct filch_future *f)
{
	struct filch_future *at = f;

	filch__lock(&edges_lock);
	while (at && at != self)
		at = at->awaiting;
	if (!at)
		self->awaiting = f;
	filch__unlock(&edges_lock);
	return !at;
}

static void edge_remove(struct filch_future *self)
{
	filch__lock(&edges_lock);
	self->awaiting = NULL;
	filch__unlock(&edges_lock);
}

/* ---- waiting ---- */

bool filch_future_done(const struct filch_future *future)
{
	struct filch_future *f = (struct filch_future *)future; /* for its lock */
	bool done;

	filch__lock(&f->waiters.lock);
	done = f->done;
	filch__unlock(&f->waiters.lock);
	return done;
}

static bool passed(uint64_t deadline)
{
	return deadline != FILCH_NEVER && filch__now_ns() >= deadline;
}

/* Nobody here will ever end it: it was started before a fork. Caller: holds its lock. */
static bool is_parents(struct filch_future *f)
{
	return !filch__worker_self() && f->pool->pid != getpid();
}

/* 0 if it is done, -EAGAIN if it is to be waited for; then *self, when not NULL, is the
 * future that awaits it. Caller: holds its lock. */
static int look(struct filch_future *f, uint64_t deadline, struct filch_future **self)
{
	if (f->done)
		return 0;
	if (is_parents(f))
		return -ECHILD;
	if (is_part_of(f))
		return -EDEADLK;
	if (passed(deadline))
		return -ETIMEDOUT;
	*self = deadline == FILCH_NEVER ? own_future() : NULL;
	return *self && !edge_add(*self, f) ? -EDEADLK : -EAGAIN;
}

/* 0 when it is done, also if that is because it was cancelled. */
static int await(struct filch_future *f, uint64_t deadline, bool cancellable)
{
	struct filch__waiter x = {.list = NULL};
	struct filch_future *self = NULL;
	int got;

	if (!f)
		return -EINVAL;
	filch__lock(&f->waiters.lock);
	got = look(f, deadline, &self);
	if (got != -EAGAIN) {
		filch__unlock(&f->waiters.lock);
		return got;
	}
	x.list = &f->waiters;
	got = filch__wait(&x, 1, deadline, cancellable);
	if (self)
		edge_remove(self);
	return got < 0 ? got : 0;
}

int filch_await_until(struct filch_future *f, uint64_t deadline)
{
	int err = await(f, deadline, true);

	return !err && f->dropped ? -ECANCELED : err;
}

int filch_await(struct filch_future *f)
{
	return filch_await_until(f, FILCH_NEVER);
}

void filch__future_await(struct filch_future *f)
{
	switch (await(f, FILCH_NEVER, false)) {
	case -EINVAL:
		filch__misuse("FILCH_AWAIT", "there is no future: it is NULL, as when "
		                             "there was no memory to start it");
	case -ECHILD:
		filch__misuse("FILCH_AWAIT", "the future belongs to the parent process");
	case -EDEADLK:
		filch__misuse("FILCH_AWAIT",
		              "the future of task '%s' awaits itself, or another one "
		              "that awaits it in turn, and would never be done",
		              f->inner->task->name);
	default:
		return;
	}
}

int filch_await_all_until(struct filch_future *const *f, size_t n, uint64_t deadline)
{
	int err = n ? 0 : -EINVAL;

	for (size_t i = 0; i < n && !err; i++)
		err = f[i] ? 0 : -EINVAL;
	for (size_t i = 0; i < n && !err; i++)
		err = await(f[i], deadline, true);
	return err;
}

int filch_await_all(struct filch_future *const *f, size_t n)
{
	return filch_await_all_until(f, n, FILCH_NEVER);
}

/* ---- any of several ---- */

static int by_list(const void *a, const void *b)
{
	const struct filch__waiter *x = a, *y = b;

	if (x->list != y->list)
		return (uintptr_t)x->list < (uintptr_t)y->list ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* With the locks of all. -EAGAIN if none is done. */
static int first_done(struct filch_future *const *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (f[i]->done)
			return (int)i;
	for (uint32_t i = 0; i < n; i++)
		if (is_parents(f[i]))
			return -ECHILD;
	return -EAGAIN;
}

static int wait_for_any(struct filch_future *const *f, struct filch__waiter *x,
                        uint32_t n, uint64_t deadline)
{
	int got;

	for (uint32_t i = 0; i < n; i++)
		x[i] = (struct filch__waiter){.list = &f[i]->waiters, .kind = i};
	qsort(x, n, sizeof *x, by_list);
	filch__lists_lock(x, n);
	got = first_done(f, n);
	if (got == -EAGAIN && passed(deadline))
		got = -ETIMEDOUT;
	if (got != -EAGAIN) {
		filch__lists_unlock(x, n);
		return got;
	}
	got = filch__wait(x, n, deadline, true);
	return got < 0 ? got : (int)x[got].kind;
}

/* 0, or why these cannot be waited for: the caller is part of each, say. */
static int check_any(struct filch_future *const *f, size_t n)
{
	size_t parts = 0;

	if (!n || n > INT_MAX)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!f[i])
			return -EINVAL;
	while (parts < n && is_part_of(f[parts]))
		parts++;
	return parts == n ? -EDEADLK : 0;
}

int filch_await_any_until(struct filch_future *const *f, size_t n, uint64_t deadline)
{
	struct filch__waiter few[FEW], *x = few;
	int got = check_any(f, n);

	if (got)
		return got;
	if (n > FEW)
		x = malloc(n * sizeof *x);
	if (!x)
		return -ENOMEM;
	got = wait_for_any(f, x, (uint32_t)n, deadline);
	if (x != few)
		free(x);
	return got;
}

int filch_await_any(struct filch_future *const *f, size_t n)
{
	return filch_await_any_until(f, n, FILCH_NEVER);
}

/* ---- results ---- */

static void check_done(struct filch_future *f, const char *call)
{
	if (!f)
		filch__misuse(call,
		              "there is no future: it is NULL, as when there was no "
		              "memory to start it");
	if (!filch_future_done(f))
		filch__misuse(call, "the future of task '%s' is not done; await it first",
		              f->inner->task->name);
}

void *filch_result(struct filch_future *f)
{
	check_done(f, "filch_result");
	if (f->inner->task != &call_task)
		filch__misuse("filch_result",
		              "the future is one of task '%s'; use FILCH_RESULT(%s, ...)",
		              f->inner->task->name, f->inner->task->name);
	return ((struct call *)f->inner)->result;
}

struct filch__record *filch__future_record(struct filch_future *f, void (*function)(void),
                                           const char *name)
{
	check_done(f, "FILCH_RESULT");
	if (f->inner->task->function != function)
		filch__misuse("FILCH_RESULT",
		              "asked for the result of task '%s', but the future is one "
		              "of '%s'",
		              name, f->inner->task->name);
	return f->inner;
}

/* ---- cancelling ---- */

/* Who is woken cannot go on before this is through with it, so its pool is there. */
void filch_future_cancel(struct filch_future *f)
{
	filch_group_cancel(&f->group);
}

/* The deadline may be another one by now. */
static void deadline_passed(struct filch__timer *t)
{
	struct filch_future *f =
		(struct filch_future *)((char *)t - offsetof(struct filch_future, timer));
	bool due;

	filch__lock(&f->waiters.lock);
	due = passed(f->deadline);
	filch__unlock(&f->waiters.lock);
	if (due)
		filch_future_cancel(f);
	filch_future_drop(f);
}

/* Sets the timer, with a reference. True if it is the next of all. Caller: as for
 * timer_unset(). */
static bool timer_set(struct filch_future *f, uint64_t deadline)
{
	struct filch__timers *ts = &f->pool->timers;
	bool next;

	filch_future_keep(f);
	filch__lock(&ts->lock);
	f->timer.deadline = deadline;
	next = filch__timer_set(ts, &f->timer);
	filch__unlock(&ts->lock);
	return next;
}

void filch_future_deadline(struct filch_future *f, uint64_t deadline)
{
	bool unset = false, late = passed(deadline), next = false;

	filch__lock(&f->waiters.lock);
	if (!f->done) {
		unset = timer_unset(f);
		f->deadline = deadline;
		next = deadline != FILCH_NEVER && !late && timer_set(f, deadline);
		if (next)
			filch__guest_come(f->pool);
	}
	filch__unlock(&f->waiters.lock);
	if (next) {
		filch__stir(f->pool);
		filch__guest_go(f->pool);
	}
	if (late)
		filch_future_cancel(f);
	if (unset)
		filch_future_drop(f);
}
