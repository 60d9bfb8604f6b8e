/* SPDX-License-Identifier: MIT */
/*
 * Groups. `pending` counts the tasks that are not done, and one more until a strand
 * waits. So it reaches 0 once, and the thread that brings it there wakes the waiter.
 */
#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>
#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"
#include "sched/hold.h"
#include "strand/above.h"
#include "strand/begun.h"
#include "strand/exceptions.h"
#include "strand/expose.h"
#include "strand/loose.h"
#include "strand/probe.h"
#include "strand/run.h"
#include "wait/cancel.h"

static _Atomic(uintptr_t) *pending_of(struct filch_group *g)
{
	return (_Atomic(uintptr_t) *)&g->pending;
}

static _Atomic(struct filch__thrown *) *thrown_of(struct filch_group *g)
{
	return (_Atomic(struct filch__thrown *) *)&g->thrown;
}

static struct filch__strand *strand_self(const char *call)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		filch__misuse(call, "called outside a pool; begin with FILCH_RUN");
	return w->active;
}

static void check_begun(const struct filch_group *g, const char *call)
{
	if (g->begun != FILCH__BEGUN)
		filch__misuse(call, "the group was not begun, or has been waited for; "
		                    "call filch_group_begin first");
}

void filch_group_begin(struct filch_group *g)
{
	struct filch__worker *w = filch__worker_self();

	*g = (struct filch_group){.pending = 1, .begun = FILCH__BEGUN};
	if (!w)
		return;
	g->pool = w->pool;
	if (!w->active)
		return;
	g->parent = filch__group_at(w->active, &w);
	filch__begun_check(w->active, __builtin_frame_address(0));
	filch__begun_add(w->active, g);
}

void filch_group_cancel(struct filch_group *g)
{
	if (!g->begun)
		return; /* the group has been waited for */
	check_begun(g, "filch_group_cancel");
	store_rlx(filch__cancelled_of(g), 1); /* a flag; the waits' locks order it */
	filch__cancel_waits(g);
}

bool filch_group_cancelled(const struct filch_group *g)
{
	return filch__group_cancelled(g);
}

/* filch__group_at(), not seen by ThreadSanitizer: see filch__strand_self(). */
__attribute__((no_sanitize("thread"))) static const struct filch_group *group_of(
	const struct filch__strand *s, const void *address)
{
	for (const struct filch__scope *c = s->scope; c; c = c->outer)
		if ((const char *)address < (const char *)c)
			return c->group;
	return s->group;
}

bool filch_cancelled(void)
{
	const struct filch__strand *s = filch__strand_self();

	return s && filch_group_cancelled(group_of(s, &s));
}

/* Takes one task from the count. Returns whether it was the last, and a strand waits. */
static bool less(struct filch_group *g)
{
	uintptr_t was;

	/* G1 release, G1 acquire: pairs with itself in less(); carries what each task
	 * did to the thread that takes the last one, and so to the waiter. */
	was = add_acq_rel(pending_of(g), UINTPTR_MAX);
	assert(was > 0); /* invariant 1 */
	return was == 1;
}

/* Whether only the count of the strand that is to wait is left. */
static bool all_done(struct filch_group *g)
{
	uintptr_t n;

	/* G1 acquire: pairs with the release in less(); carries what the tasks did. */
	n = load_acq(pending_of(g));
	assert(n > 0); /* no strand has waited yet */
	return n == 1;
}

/* Keeps the first exception for the strand that waits, and cancels the rest. */
static void failed(struct filch_group *g, struct filch__thrown *t)
{
	struct filch__thrown *none = NULL;

	if (!cas_rlx(thrown_of(g), &none, t)) /* less() orders it */
		t->drop(t);
	filch_group_cancel(g);
}

/* Calls a task of the group in such a way that everything the task spawns and waits for
 * knows the group. */
static void run_for(struct filch_group *g, struct filch__record *r)
{
	struct filch__strand *s = filch__worker_self()->active;
	struct filch__scope here;

	filch__scope_begin(s, &here, g);
	filch__strand_call(s, r);
	filch__check_not_child();
	assert(filch__worker_self()->active == s);
	filch__scope_end(s, &here);
	if (r->thrown)
		failed(g, r->thrown);
}

/* Wakes the strand on its own pool: a task of the group may run on another pool. */
static void wake_waiter(struct filch__strand *s)
{
	struct filch_pool *pool = s->pool;
	bool guest = !filch__worker_of(pool);

	if (guest)
		filch__guest_come(pool);
	filch__wake(pool, s);
	if (guest)
		filch__guest_go(pool);
}

/* A group waits for its tasks; if it looks otherwise, its frame was left and is used for
 * something else. */
static void check_waits(const struct filch_group *g)
{
	if (g->begun != FILCH__BEGUN)
		filch__misuse("filch_group_begin",
		              "a group ended before its tasks; call filch_group_wait "
		              "before the function that holds the group returns");
}

static void run_loose(struct filch__record *r)
{
	struct filch__loose *l = (struct filch__loose *)r;
	struct filch_group *g = l->group;
	struct filch_pool *held = l->held;

	check_waits(g);
	if (!filch_group_cancelled(g))
		run_for(g, l->inner);
	check_waits(g);
	if (filch__worker_self()->active->record == r)
		filch__strand_past(filch__worker_self()->active);
	free(l);
	/* This comes first, since the strand that is woken may destroy the pool, which
	 * waits for its workers. */
	if (held)
		filch__pool_release(held, filch__worker_of(held));
	if (less(g))
		wake_waiter((struct filch__strand *)g->waiter);
}

static void is_loose(void)
{
}

/* Size 0, and a function: see strand/loose.h. */
static const struct filch__task loose_task = {"a task of a group", run_loose, 0,
                                              is_loose};

/* Copies the record as a task of the group. Returns NULL if there is no memory. */
static struct filch__loose *loose_new(struct filch_group *g,
                                      const struct filch__record *r, size_t size)
{
	const size_t head = (sizeof(struct filch__loose) + 15) / 16 * 16;
	struct filch__loose *l = aligned_alloc(16, head + (size + 15) / 16 * 16);

	assert(size >= sizeof *r);
	if (!l)
		return NULL;
	l->head.mark = 0;
	l->head.task = &loose_task;
	l->group = g;
	l->inner = (struct filch__record *)((char *)l + head);
	memcpy(l->inner, r, size);
	filch__told_spawn(l->inner);
	return l;
}

/* Exposes the tasks of groups that this strand has, without waiting for a request.
 * Caller: inside. */
static void show_loose(struct filch__worker *w, struct filch__strand *s)
{
	filch__expose_loose(w, s);
	if (!s->deque)
		return; /* there is no memory: the strand that waits runs the tasks */
	filch__offer(w, s->deque);
	filch__call_somebody(w->pool, w);
}

static int spawn(struct filch_group *g, const struct filch__record *r, size_t size,
                 bool eager)
{
	struct filch__strand *s = strand_self("FILCH_GROUP_SPAWN");
	struct filch__worker *w;
	struct filch__loose *l;
	uintptr_t was;

	filch__begun_check(s, __builtin_frame_address(0));
	check_begun(g, "FILCH_GROUP_SPAWN");
	if (filch_group_cancelled(g))
		return -ECANCELED;
	l = loose_new(g, r, size);
	if (!l) {
		filch__told_spawn((struct filch__record *)r);
		run_for(g, (struct filch__record *)r);
		return 0;
	}
	/* Relaxed: the task can finish only after this, in the order of this thread or of
	 * the queue. */
	was = add_rlx(pending_of(g), 1);
	assert(was > 0); /* invariant 1: the group is not over */
	(void)was;
	w = filch__worker_self();
	/* The strand that waits keeps the group's pool alive, but no other pool. */
	l->held = g->pool == w->pool ? NULL : w->pool;
	if (l->held)
		filch__pool_hold(l->held, w);
	filch__enter(w);
	filch__loose_push(s, l);
	if (eager)
		show_loose(w, s);
	filch__leave(w);
	return 0;
}

int filch__group_spawn(struct filch_group *g, const struct filch__record *r, size_t size)
{
	return spawn(g, r, size, false);
}

int filch__group_spawn_eager(struct filch_group *g, const struct filch__record *r,
                             size_t size)
{
	return spawn(g, r, size, true);
}

/* Takes one of the group's tasks that no other worker has: private, or exposed and not
 * stolen. Records that lie above it in the deque become private again. */
static struct filch__loose *next_own(struct filch_group *g)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s = w->active;
	struct filch__loose *l;
	filch_entry e;

	filch__enter(w);
	do {
		l = filch__loose_newest(s);
		while (l && l->group != g) /* the newest is mostly of this group */
			l = filch__loose_older(l);
		if (l)
			filch__loose_remove(s, l);
		else if (s->deque && filch_bwos_lifo_get(filch__deque_owner(s->deque),
		                                         &e) == FILCH_OK)
			filch__unexpose(s, (struct filch__record *)e);
		else
			break;
	} while (!l);
	if (s->deque)
		filch__deque_share_rest(s->deque);
	filch__leave(w);
	return l;
}

static bool arm_group(void *arg, struct filch__strand *s)
{
	struct filch_group *g = arg;

	assert(!g->waiter); /* one strand waits, once */
	g->waiter = (uintptr_t)s;
	return !less(g);
}

int filch__group_wait(struct filch_group *g, struct filch__thrown **thrown)
{
	struct filch__strand *s = strand_self("filch_group_wait");
	struct filch__loose *l;
	int result;

	filch__begun_check(s, __builtin_frame_address(0));
	check_begun(g, "filch_group_wait");
	filch__begun_remove(s, g);
	while ((l = next_own(g))) {
		filch__probe_task(filch__worker_self(), &l->head);
		run_loose(&l->head);
		filch__probe_task_end(filch__worker_self());
	}
	if (!all_done(g))
		filch__suspend(arm_group, g, FILCH__BECAUSE(group));
	result = filch_group_cancelled(g) ? -ECANCELED : 0;
	filch__group_part(g);
	*thrown = load_rlx(thrown_of(g)); /* all tasks are done */
	g->begun = 0;
	return result;
}

int filch_group_wait(struct filch_group *g)
{
	struct filch__thrown *thrown;
	int result = filch__group_wait(g, &thrown);

	if (thrown)
		thrown->drop(thrown);
	return result;
}

void filch__group_left(struct filch_group *g)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		return; /* a group outside a pool has no tasks */
	if (!filch__is_unwinding())
		filch__begun_forgotten(w->active);
	filch_group_cancel(g);
	filch_group_wait(g);
}
