/* SPDX-License-Identifier: MIT */
#include "task/future.h"

#include <assert.h>
#include <filch/pool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/layout.h"
#include "base/misuse.h"
#include "pool/pool.h"
#include "sched/lookout.h"
#include "strand/above.h"
#include "strand/run.h"
#include "task/sync.h"
#include "wait/wait.h"

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

/* This task is shown by the name of its function, and by its own when the record has been
 * wiped out (leave_out()). It lies where FILCH_TASK puts tasks, so that its name is
 * found. */
static struct filch__task call_task __attribute__((section("filch_tasks"), used,
                                                   aligned(8))) = {
	"a plain function", run_call, sizeof(struct call) | FILCH__SHOWS_FIRST, NULL};

/* With these a debugger finds the task that a strand was begun for. */
FILCH__FOR_DEBUGGERS const struct filch__layout filch__debug_task[] = {
	{FILCH__LAYOUT_AT(filch_future, waiters)},
	{FILCH__LAYOUT_AT(filch_future, head)},
	{"", 0},
};

/* ---- references ---- */

struct filch_future *filch_future_keep(struct filch_future *f)
{
	uint32_t was = add_rlx(&f->references, 1); /* the caller has one */

	assert(was > 0 && was < UINT32_MAX);
	(void)was;
	return f;
}

/* Caller: the last holder. */
static void future_free(struct filch_future *f)
{
	struct filch__record *r = f->inner; /* NOLINT(clang-analyzer-unix.Malloc) */

	if (r->thrown)
		r->thrown->drop(r->thrown);
	free(f);
}

void filch_future_drop(struct filch_future *f)
{
	uint32_t was;

	if (!f)
		return;
	/* F1 release, F1 acquire: pairs with itself in filch_future_drop(); carries what
	 * each holder did to the thread that frees the future. */
	was = add_acq_rel(&f->references, UINT32_MAX);
	assert(was > 0);
	if (was == 1)
		future_free(f);
}

/* ---- invariants ---- */

void filch__future_check(const struct filch_future *f)
{
	assert(f->inner == (const struct filch__record *)(f + 1));
	assert(!f->done || !filch__first_waiter(&f->waiters));
	if (f->done) /* then the pool may be gone */
		return;
	assert(load_rlx(&f->references) > 0);   /* the caller's own at least */
	assert(filch__pool_holds(f->pool) > 0); /* the future's, at least */
}

/* ---- running ---- */

static void run_in_group(struct filch_future *f)
{
	struct filch__strand *s = filch__worker_self()->active;
	struct filch__scope here;

	filch__scope_begin(s, &here, &f->group);
	filch__strand_call(s, f->inner);
	filch__check_not_child();
	assert(filch__worker_self()->active == s);
	filch__scope_end(s, &here);
	if (f->inner->thrown && !f->inner->thrown->kept)
		f->inner->thrown->kept = true;
}

/* Ends a future that was cancelled before it began: its result is all zeros. */
static void leave_out(struct filch_future *f)
{
	memset(f->inner + 1, 0, f->size - sizeof *f->inner);
	f->dropped = true;
}

/* Takes the timer back. Returns whether its reference is now the caller's. Caller: holds
 * the lock of the future, which is not done. */
static bool timer_unset(struct filch_future *f)
{
	assert(!f->done);
	return filch__timer_unset(&f->timer);
}

/* Releases the pool before any other thread can know that the future is done. From then
 * on only the pool's own threads use the pool, and its end waits for them. */
static void end(struct filch_future *f)
{
	struct filch__worker *w = filch__worker_self();
	bool unset;

	filch__strand_past(w->active);
	filch__lock(&f->waiters.lock);
	FILCH__CHECK(filch__future_check(f));
	unset = f->deadline != FILCH_NEVER && timer_unset(f);
	assert(!f->done); /* invariant 8 */
	f->done = true;
	filch__pool_release(f->pool, w);
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

/* Size 0: see strand/loose.h. */
static const struct filch__task future_task = {"a future", run_future, 0, NULL};

/* ---- starting ---- */

static void deadline_passed(struct filch__timer *t);

static struct filch_future *future_new(const struct filch__record *r, size_t size)
{
	struct filch_future *f = aligned_alloc(16, sizeof *f + (size + 15) / 16 * 16);

	assert(size >= sizeof *r);
	if (!f)
		return NULL;
	memset(f, 0, sizeof *f);
	atomic_init(&f->references, 2);
	f->deadline = FILCH_NEVER;
	f->timer.fire = deadline_passed;
	filch_group_begin(&f->group);
	f->group.parent = NULL; /* a future outlives the task that started it */
	f->root.ready.kind = FILCH__READY_ROOT;
	f->root.record = &f->head;
	f->root.depth = FILCH__SHALLOW;
	f->head.task = &future_task;
	f->size = size;
	f->inner = (struct filch__record *)(f + 1);
	memcpy(f->inner, r, size);
	f->inner->mark = 0;
	f->inner->thrown = NULL;
	filch__told_spawn(f->inner);
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
	if (filch__pool_is_parents(pool))
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
	filch__pool_hold(pool, w);
	if (w) {
		filch__enter(w);
		filch__make_ready(pool, w, &f->root.ready);
		filch__leave(w);
	} else {
		filch__guest_come(pool); /* the future may be done in a moment */
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

/* ---- looking at a future ---- */

struct filch_future *filch__future_self(void)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__record *r = w && w->active ? w->active->record : NULL;

	return r && filch__record_task(r)->run == run_future ? future_of(r) : NULL;
}

bool filch_future_done(const struct filch_future *future)
{
	struct filch_future *f = (struct filch_future *)future; /* to take its lock */
	bool done;

	filch__lock(&f->waiters.lock);
	done = f->done;
	filch__unlock(&f->waiters.lock);
	return done;
}

static struct filch__name name_of(const struct filch_future *f)
{
	return filch__title_name(filch__title_of(f->inner));
}

static void check_done(struct filch_future *f, const char *call)
{
	if (!f)
		filch__misuse(call,
		              "there is no future: it is NULL, as when there was no "
		              "memory to start it");
	if (!filch_future_done(f))
		filch__misuse(call, "the future of task '%s' is not done; await it first",
		              name_of(f).text);
}

void *filch_result(struct filch_future *f)
{
	check_done(f, "filch_result");
	if (f->inner->task != &call_task)
		filch__misuse("filch_result",
		              "the future is one of task '%s'; use FILCH_RESULT(%s, ...)",
		              name_of(f).text, name_of(f).text);
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
		              name, name_of(f).text);
	return f->inner;
}

/* ---- cancelling ---- */

/* A strand that is woken here cannot resume before this function has finished with it, so
 * its pool still exists. */
void filch_future_cancel(struct filch_future *f)
{
	filch_group_cancel(&f->group);
}

/* The deadline may have changed since the timer was set. */
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

/* Sets the timer and takes a reference for it. Returns whether it is the first timer to
 * fire. Caller: as for timer_unset(). */
static bool timer_set(struct filch_future *f, uint64_t deadline)
{
	struct filch__timers *ts = filch__timers(f->pool, filch__worker_of(f->pool));
	bool next;

	assert(!f->done && deadline != FILCH_NEVER);
	filch_future_keep(f);
	filch__lock(&ts->lock);
	f->timer.in = ts;
	f->timer.deadline = deadline;
	next = filch__timer_set(&f->timer);
	filch__unlock(&ts->lock);
	return next;
}

void filch_future_deadline(struct filch_future *f, uint64_t deadline)
{
	bool unset = false, late = filch__is_past(deadline), next = false;

	filch__lock(&f->waiters.lock);
	FILCH__CHECK(filch__future_check(f));
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
