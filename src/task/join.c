/* SPDX-License-Identifier: MIT */
/*
 * The slow halves of spawn and join, for a record that is not simply private.
 */
#include <assert.h>
#include <filch/task.h>

#include "base/misuse.h"
#include "fiber/apart.h"
#include "sched/seat.h"
#include "strand/expose.h"
#include "strand/loose.h"
#include "strand/probe.h"
#include "strand/run.h"

#if FILCH__ASAN
#include <sanitizer/asan_interface.h>
#endif

static bool arm_join(void *arg, struct filch__strand *s)
{
	return filch__record_wait(arg, (uintptr_t)s);
}

/* Gets an exposed record back, if no thief has it. Records that lie above it in the deque
 * become private, and are exposed again: a thief may wait for one of these (see
 * next_batch() in strand/ask.c). */
static bool get_back(struct filch__worker *w, struct filch__record *r)
{
	struct filch__strand *s = w->active;
	bool found = false;
	filch_entry e;

	assert(s && s->pool == w->pool);
	filch__enter(w);
	s->swept = NULL;
	while (s->deque &&
	       filch_bwos_lifo_get(filch__deque_owner(s->deque), &e) == FILCH_OK) {
		FILCH__COUNT(w, hidden, 1);
		found = e == (filch_entry)r;
		if (found)
			break;
		filch__unexpose(s, (struct filch__record *)e);
		w->noted = 1; /* filch__leave() then answers, as if a worker had asked */
	}
	filch__leave(w);
	return found;
}

static bool on_stack_of(const struct filch__strand *s, const struct filch__record *r)
{
#if FILCH__ASAN
	if (__asan_get_current_fake_stack())
		return true; /* ASan may keep frames elsewhere */
#endif
	return (const char *)r >= s->lo && (const char *)r < s->hi;
}

_Noreturn static void not_spawned(void)
{
	filch__misuse("FILCH_JOIN", "this was not spawned, or is joined already; join "
	                            "once what was spawned");
}

/* Answers if a worker asks. Under ThreadSanitizer every join comes here. */
static void answer_polled(void)
{
	_Atomic(uint32_t) *expected = (_Atomic(uint32_t) *)&filch__expected;

	if (load_rlx(expected) == FILCH__MINUS_LIVE || /* polled */
	    !filch__polls_self())
		return;
	filch__apart_aside();
	filch__answer_poll(filch__worker_self());
	filch__apart_back();
}

FILCH_NOINLINE void filch__join_slow(struct filch__record *r)
{
	struct filch__worker *w;
	uint32_t found = r->mark;

	r->mark = 0;
	if (found == FILCH__LIVE - (uint32_t)FILCH__HUNGRY) {
		answer_polled();
		filch__record_run(r);
		return;
	}
	w = filch__worker_self();
	if (found != FILCH__EXPOSED - (uint32_t)FILCH__LIVE &&
	    found != FILCH__EXPOSED - (uint32_t)FILCH__HUNGRY)
		not_spawned();
	if (!w)
		filch__misuse("FILCH_JOIN",
		              "task '%s' is joined by a thread that is no worker; the "
		              "child of a fork has none, and must call _exit instead",
		              filch__record_task(r)->name);
	if (!w->active || !on_stack_of(w->active, r))
		filch__misuse("FILCH_JOIN",
		              "task '%s' was spawned by another strand; a task is joined "
		              "by the function that spawned it",
		              filch__record_task(r)->name);
	if (get_back(w, r)) {
		assert(!filch__record_is_done(r)); /* no thief had it */
		r->task = filch__record_task(r);
		filch__probe_task(w, r);
		filch__record_run(r);
		filch__probe_task_end(filch__worker_self());
		return;
	}
	if (!filch__record_is_done(r))
		filch__suspend(arm_join, r, FILCH__BECAUSE(join));
}

void filch__abandon(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();
	bool exposed;

	if (!w || !w->active) {
		r->mark = 0;
		return;
	}
	filch__enter(w); /* no signal handler comes between the look and the write */
	exposed = r->mark == FILCH__EXPOSED;
	r->mark = 0;
	filch__leave(w);
	if (exposed && !get_back(w, r) && !filch__record_is_done(r))
		filch__suspend(arm_join, r, FILCH__BECAUSE(join));
}

FILCH_NOINLINE void filch__spawn_eager(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s;

	if (!w) {
		FILCH__PUBLISH(r); /* outside a pool the task runs when it is joined */
		return;
	}
	filch__enter(w);
	s = w->active;
	assert(s);
	filch__record_expose(r, filch__group_at(s, r));
	if ((!s->deque && !filch__deque_attach(w, s)) ||
	    filch_bwos_lifo_put(filch__deque_owner(s->deque), (filch_entry)r) !=
	            FILCH_OK) {
		filch__record_hide(r);
		filch__leave(w);
		return;
	}
	FILCH__COUNT(w, spawned, 1);
	if (FILCH_UNLIKELY(load_rlx(&w->offered) != s->deque)) /* the worker's own word */
		filch__offer(w, s->deque);
	/* No fence is needed: the beggar calls a worker that misses the task, see
	 * src/sched/README.md. */
	if (FILCH_UNLIKELY(load_rlx(&w->pool->lot.idle))) /* a hint */
		filch__park_notify_slow(&w->pool->lot);
	filch__leave(w);
}

void filch__check_spawn(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		filch__misuse("FILCH_SPAWN",
		              "task '%s' is spawned outside a pool; begin with FILCH_RUN",
		              r->task->name);
	if (!on_stack_of(w->active, r))
		filch__misuse("FILCH_SPAWN",
		              "the frame of task '%s' is not on the stack, where nobody "
		              "would find it; use a group for tasks elsewhere",
		              r->task->name);
}

void filch__check_join(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();

	if (r->mark != FILCH__LIVE && r->mark != FILCH__EXPOSED)
		not_spawned();
	if (r->mark == FILCH__LIVE && (!w || !w->active || !on_stack_of(w->active, r)))
		filch__misuse("FILCH_JOIN",
		              "task '%s' was spawned by another strand; a task is joined "
		              "by the function that spawned it",
		              r->task->name);
}

void filch__check_left(void *frame)
{
	struct filch__record *r = frame;

	if (r->mark)
		filch__misuse("FILCH_SPAWN", "task '%s' was spawned and not joined",
		              filch__record_task(r)->name);
}
