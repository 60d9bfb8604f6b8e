/* SPDX-License-Identifier: MIT */
/*
 * Futures: starting, running, ending, cancelling them.
 */
#include "task/future.h"

#include <filch/pool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/debug.h"
#include "sched/lookout.h"
#include "sched/misuse.h"
#include "sched/wait.h"
#include "task/sync.h"

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

/* Where FILCH_TASK puts tasks, for its name to be found. */
static struct filch__task call_task
	__attribute__((section("filch_tasks"), used, aligned(8))) = {
		"a plain function", run_call, sizeof(struct call), NULL};

/* By which a debugger finds what a strand was begun for. */
FILCH__FOR_DEBUGGERS const struct filch__layout filch__debug_task[] = {
	{FILCH__LAYOUT_AT(filch_future, waiters)},
	{FILCH__LAYOUT_AT(filch_future, head)},
	{FILCH__LAYOUT_AT(call, function)},
	{"", 0},
};

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
		free(f); /* the last holder. NOLINT(clang-analyzer-unix.Malloc) */
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

	filch__strand_past(filch__worker_self()->active);
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

/* Size 0: see sched/loose.h. */
static const struct filch__task future_task = {"a future", run_future, 0, NULL};

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
	filch_group_begin(&f->group);
	f->group.parent = NULL; /* it outlives what has started it */
	f->root.ready.kind = FILCH__READY_ROOT;
	f->root.record = &f->head;
	f->head.task = &future_task;
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

/* ---- asking about it ---- */

struct filch_future *filch__future_self(void)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__record *r = w && w->active ? w->active->record : NULL;

	return r && filch__record_task(r)->run == run_future ? future_of(r) : NULL;
}

bool filch_future_done(const struct filch_future *future)
{
	struct filch_future *f = (struct filch_future *)future; /* for its lock */
	bool done;

	filch__lock(&f->waiters.lock);
	done = f->done;
	filch__unlock(&f->waiters.lock);
	return done;
}

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
	due = filch__is_past(f->deadline);
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
	bool unset = false, late = filch__is_past(deadline), next = false;

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
