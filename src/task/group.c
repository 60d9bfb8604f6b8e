/* SPDX-License-Identifier: MIT */
/*
 * Groups. `pending` counts the tasks that are not done, and one more until somebody waits:
 * so it reaches 0 once, and whoever brings it there wakes the waiter.
 */
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>
#include <stdlib.h>
#include <string.h>

#include "sched/cancel.h"
#include "sched/expose.h"
#include "sched/loose.h"
#include "sched/misuse.h"
#include "sched/probe.h"
#include "sched/record.h"
#include "sched/run.h"

#define BEGUN 0x62676e31

static _Atomic(uintptr_t) *pending_of(struct filch_group *g)
{
	return (_Atomic(uintptr_t) *)&g->pending;
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
	if (g->begun != BEGUN)
		filch__misuse(call, "the group was not begun, or has been waited for; "
		                    "call filch_group_begin first");
}

void filch_group_begin(struct filch_group *g)
{
	struct filch__worker *w = filch__worker_self();

	*g = (struct filch_group){.pending = 1, .begun = BEGUN};
	g->pool = w ? w->pool : NULL;
	g->parent = w && w->active ? filch__group_at(w->active, &w) : NULL;
}

void filch_group_cancel(struct filch_group *g)
{
	if (!g->begun)
		return; /* it has been waited for */
	check_begun(g, "filch_group_cancel");
	store_rlx(filch__cancelled_of(g), 1); /* a flag; the waits' locks order it */
	filch__cancel_waits(g);
}

bool filch_group_cancelled(const struct filch_group *g)
{
	return filch__group_cancelled(g);
}

bool filch_cancelled(void)
{
	struct filch__worker *w = filch__worker_self();

	return w && w->active && filch_group_cancelled(filch__group_at(w->active, &w));
}

/* One task less. True if it was the last, and somebody waits. */
static bool less(struct filch_group *g)
{
	/* G1 release, G1 acquire: pairs with itself in less(); carries what each task
	 * did to whoever takes the last, and so to the waiter. */
	return add_acq_rel(pending_of(g), UINTPTR_MAX) == 1;
}

/* Nobody but the one who is to wait is left. */
static bool all_done(struct filch_group *g)
{
	/* G1 acquire: pairs with the release in less(); carries what the tasks did. */
	return load_acq(pending_of(g)) == 1;
}

/* Calls a task for its group. */
static void run_for(struct filch_group *g, struct filch__record *r)
{
	struct filch__strand *s = filch__worker_self()->active;
	struct filch__scope here = {g, s->scope};

	s->scope = &here;
	r->task->run(r);
	s->scope = here.outer;
}

/* Its pool, not ours: a task of the group may have been spawned on another. */
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

static void run_loose(struct filch__record *r)
{
	struct filch__loose *l = (struct filch__loose *)r;
	struct filch_group *g = l->group;
	struct filch_pool *held = l->held;

	if (!filch_group_cancelled(g))
		run_for(g, l->inner);
	if (filch__worker_self()->active->record == r)
		filch__strand_past(filch__worker_self()->active);
	free(l);
	if (held) /* first: who is woken may destroy the pool, whose workers end what they do */
		filch__pool_release(held);
	if (less(g))
		wake_waiter((struct filch__strand *)g->waiter);
}

static void is_loose(void)
{
}

/* Size 0, and a function: see sched/loose.h. */
static const struct filch__task loose_task = {"a task of a group", run_loose, 0,
                                              is_loose};

int filch__group_spawn(struct filch_group *g, const struct filch__record *r, size_t size)
{
	struct filch__strand *s = strand_self("FILCH_GROUP_SPAWN");
	const size_t head = (sizeof(struct filch__loose) + 15) / 16 * 16;
	struct filch__worker *w;
	struct filch__loose *l;

	check_begun(g, "FILCH_GROUP_SPAWN");
	if (filch_group_cancelled(g))
		return -ECANCELED;
	l = aligned_alloc(16, head + (size + 15) / 16 * 16);
	if (!l) {
		run_for(g, (struct filch__record *)r);
		return 0;
	}
	l->head.task = &loose_task;
	l->group = g;
	l->inner = (struct filch__record *)((char *)l + head);
	memcpy(l->inner, r, size);
	/* Relaxed: before the task can be done; by the same thread, or by the queue. */
	add_rlx(pending_of(g), 1);
	w = filch__worker_self();
	/* Whoever waits for the group is a task of its own pool, and not of this one. */
	l->held = g->pool == w->pool ? NULL : w->pool;
	if (l->held)
		filch__pool_hold(l->held);
	filch__enter(w);
	filch__loose_push(s, l);
	if (s->pool->settings.queue != filch__queue_bwos_lifo)
		filch__expose_spawned(w, s);
	filch__leave(w);
	return 0;
}

/* One of the group's tasks that nobody else has: private, or exposed and not stolen. What
 * lies above it in the deque becomes private again. */
static struct filch__loose *next_own(struct filch_group *g)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s = w->active;
	struct filch__loose *l;
	filch_entry e;

	filch__enter(w);
	do {
		for (l = s->newest; l && l->group != g;) /* the newest, as a rule */
			l = l->older;
		if (l)
			filch__loose_remove(s, l);
		else if (s->deque && filch__deque_get(s->deque, &e) == FILCH_OK)
			filch__unexpose(s, (struct filch__record *)e);
		else
			break;
	} while (!l);
	filch__leave(w);
	return l;
}

static bool arm_group(void *arg, struct filch__strand *s)
{
	struct filch_group *g = arg;

	g->waiter = (uintptr_t)s;
	return !less(g);
}

int filch_group_wait(struct filch_group *g)
{
	struct filch__loose *l;
	int result;

	strand_self("filch_group_wait");
	check_begun(g, "filch_group_wait");
	while ((l = next_own(g))) {
		filch__probe_task(filch__worker_self(), &l->head);
		run_loose(&l->head);
		filch__probe_task_end(filch__worker_self());
	}
	if (!all_done(g))
		filch__suspend(arm_group, g, FILCH__BECAUSE(group));
	result = filch_group_cancelled(g) ? -ECANCELED : 0;
	filch__group_part(g);
	g->begun = 0;
	return result;
}
