/* SPDX-License-Identifier: MIT */
/*
 * The slow halves of spawn and join, for a record that is not simply private.
 */
#include <assert.h>
#include <filch/task.h>

#include "base/misuse.h"
#include "fiber/apart.h"
#include "sched/seat.h"
#include "strand/begun.h"
#include "strand/exceptions.h"
#include "strand/expose.h"
#include "strand/hunger.h"
#include "strand/listed.h"
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
	if (found)
		filch__deque_share_rest(s->deque);
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

static bool is_live(const struct filch__record *r)
{
	uint64_t mark = r->mark;

	return (mark & ~(uint64_t)FILCH__LISTED) == FILCH__LIVE ||
	       filch__is_private_at(r, mark, filch__private_key());
}

/* The messages are made in functions of their own: a name takes room, and the frames of
 * the checks must be smaller than that of any function that was left, since some
 * processors have the address of a frame at its low end. */

FILCH_COLD _Noreturn static void not_spawned(void)
{
	filch__misuse("FILCH_JOIN", "this was not spawned, or is joined already; join "
	                            "once what was spawned");
}

FILCH_COLD _Noreturn static void no_worker(const struct filch__record *r)
{
	filch__misuse("FILCH_JOIN",
	              "task '%s' is joined by a thread that is no worker; the child of a "
	              "fork has none, and must call _exit instead",
	              filch__title_name(filch__title_of(r)).text);
}

FILCH_COLD _Noreturn static void spawned_elsewhere(const struct filch__record *r)
{
	filch__misuse("FILCH_JOIN",
	              "task '%s' was spawned by another strand; a task is joined "
	              "by the function that spawned it",
	              filch__title_name(filch__title_of(r)).text);
}

/* Runs a record that was spawned while a worker was hungry, and gives that worker
 * something else before, or, if it is early for that, perhaps after. Under ThreadSanitizer
 * all joins of private records come here. */
static void run_heard(struct filch__record *r)
{
	bool again = filch__hear_self();

	filch__strand_call(filch__strand_self(), r);
	if (again)
		filch__hear_self();
}

FILCH_NOINLINE void filch__join_slow(struct filch__record *r)
{
	struct filch__worker *w;
	uint64_t found = r->mark;

	r->mark = 0;
	if (found == FILCH__SHIFTED(FILCH__HEARD)) {
		run_heard(r);
		return;
	}
	w = filch__worker_self();
	if (found != FILCH__SHIFTED(FILCH__EXPOSED))
		not_spawned();
	if (!w)
		no_worker(r);
	if (!w->active || !on_stack_of(w->active, r))
		spawned_elsewhere(r);
	if (get_back(w, r)) {
		assert(!filch__record_is_done(r)); /* no thief had it */
		r->task = filch__record_task(r);
		filch__probe_task(w, r);
		filch__strand_call(w->active, r);
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
	exposed = filch__record_is_exposed(r);
	if (!exposed && filch__is_listed(r))
		filch__listed_remove(w->active, r);
	r->mark = 0;
	filch__leave(w);
	if (!exposed || get_back(w, r))
		return;
	if (!filch__record_is_done(r))
		filch__suspend(arm_join, r, FILCH__BECAUSE(join));
	if (r->thrown)
		r->thrown->drop(r->thrown);
}

FILCH_NOINLINE void filch__spawn_eager(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s;

	if (!w) {
		FILCH__PUBLISH(
			r, r->task); /* outside a pool the task runs when it is joined */
		return;
	}
	filch__enter(w);
	s = w->active;
	assert(s);
	r->mark = 0; /* it is in no list */
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
	if (FILCH_UNLIKELY(filch__tally_any(&w->pool->lot.idle, w->index)))
		filch__park_notify_slow(&w->pool->lot, w->index);
	filch__leave(w);
}

/* ---- records in a list: see strand/listed.h ---- */

/* Ends the process if the newest record of the list lies in a frame that is no more: below
 * the caller's frame, on the same stack; or if it is r, which is about to be spawned: a
 * frame that was left, and entered again, has its record at the same place. */
static void check_newest(const struct filch__strand *s, const struct filch__record *r,
                         const char *frame)
{
	const char *newest = (const char *)filch__listed_newest(s);

	if (newest && (newest == (const char *)r ||
	               (newest >= s->lo && newest < frame && frame < s->hi)))
		filch__misuse("FILCH_SPAWN",
		              "a task that was spawned here earlier was never joined; "
		              "join it before its function returns");
}

FILCH_NOINLINE void filch__spawn_listed(struct filch__record *r, int listing)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active) {
		r->mark = FILCH__LIVE; /* the task runs when it is joined */
		return;
	}
	check_newest(w->active, r, __builtin_frame_address(0));
	filch__enter(w);
	filch__listed_push(w->active, r);
	r->mark = FILCH__LISTED_ONLY;
	if (listing == FILCH__LISTING_TOO)
		r->mark = (uintptr_t)r + filch__secret_now() + FILCH__LISTED;
	filch__leave(w);
}

/* Takes a private record back, or leaves in its mark what filch__join_slow() expects.
 * Caller: inside, if there is a strand. */
static bool take_listed(struct filch__strand *s, struct filch__record *r)
{
	bool live = is_live(r);

	if (s && live && filch__is_listed(r))
		filch__listed_remove(s, r);
	r->mark = live ? 0 : FILCH__SHIFTED(r->mark & FILCH__EXPOSED);
	return live;
}

FILCH_NOINLINE bool filch__join_listed(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();
	bool live;

	if (filch__hunger_is_shown())
		filch__hear(w);
	if (!w || !w->active) {
		if (filch__is_listed(r))
			no_worker(r);
		return take_listed(NULL, r);
	}
	filch__enter(w);
	live = take_listed(w->active, r);
	filch__leave(w);
	return live;
}

/* ---- checks ---- */

FILCH_COLD _Noreturn static void spawned_outside(const struct filch__record *r)
{
	filch__misuse("FILCH_SPAWN",
	              "task '%s' is spawned outside a pool; begin with FILCH_RUN",
	              filch__title_name(filch__title_of(r)).text);
}

FILCH_COLD _Noreturn static void not_on_the_stack(const struct filch__record *r)
{
	filch__misuse("FILCH_SPAWN",
	              "the frame of task '%s' is not on the stack, where nobody "
	              "would find it; use a group for tasks elsewhere",
	              filch__title_name(filch__title_of(r)).text);
}

void filch__check_spawn(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		spawned_outside(r);
	if (!on_stack_of(w->active, r))
		not_on_the_stack(r);
	filch__begun_check(w->active, __builtin_frame_address(0));
}

void filch__check_join(struct filch__record *r)
{
	struct filch__worker *w = filch__worker_self();

	if (!is_live(r) && !filch__record_is_exposed(r))
		not_spawned();
	if (is_live(r) && (!w || !w->active || !on_stack_of(w->active, r)))
		spawned_elsewhere(r);
	if (w && w->active)
		filch__begun_check(w->active, __builtin_frame_address(0));
}

void filch__check_left(void *frame)
{
	struct filch__record *r = frame;

	if (r->mark)
		filch__misuse("FILCH_SPAWN", "task '%s' was spawned and not joined",
		              filch__title_name(filch__title_of(r)).text);
}

void filch__check_unwound(struct filch__record *r)
{
	if (!filch__is_unwinding())
		filch__check_left(r);
	filch__abandon(r);
}
