/* SPDX-License-Identifier: MIT */
#include "strand/strand.h"

#include "base/check.h"
#include "strand/above.h"
#include "strand/begun.h"
#include "strand/exceptions.h"
#include "strand/expose.h"
#include "strand/loose.h"
#include "strand/probe.h"
#include "strand/root.h"
#include "strand/run.h"
#include "strand/worker.h"

void filch__strand_check(const struct filch__strand *s)
{
	const struct filch__worker *w = filch__worker_self();
	bool handler_may_come = w && w->active == s && !w->inside;

	assert(s->ready.kind == FILCH__READY_STRAND);
	assert(s->lo < s->hi);
	assert(!s->swept || (s->swept >= s->lo && s->swept <= s->hi));
	assert(!s->left_off || (s->left_off > s->lo && s->left_off <= s->hi));
	assert(!s->deque || !s->deque->carrier);
	assert(!s->on_shelf || s->shelf);
	assert(!s->scope || s->scope->group);
	if (!handler_may_come)
		filch__list_check(&s->loose, FILCH__CHECK_MOST);
	if (!handler_may_come)
		filch__list_check(&s->listed, FILCH__CHECK_MOST);
}

/* ---- beginning and ending ---- */

void filch__strand_init(struct filch__strand *s, struct filch_pool *pool,
                        struct filch__record *r, char *lo, char *hi)
{
	s->ready.kind = FILCH__READY_STRAND;
	s->pool = pool;
	filch__strand_set(s, FILCH__ACTIVE);
	s->lo = lo;
	s->hi = hi;
	s->deque = NULL;
	s->record = r;
	store_rlx(&s->runs, filch__title(r)); /* a look only */
	s->swept = s->left_off = NULL;
	s->listed = (struct filch__list){NULL, NULL};
	s->loose = (struct filch__list){NULL, NULL};
	s->begun = NULL;
	s->shelf = NULL;
	s->kept = s->yields = 0;
	s->group = filch__is_loose(r) ? NULL : r->group;
	s->scope = NULL;
	s->begun_count = 0;
	store_rlx(&s->astray, 0); /* no other strand knows s */
	s->exceptions = (struct filch__exceptions){NULL, 0};
	s->on_shelf = false;
}

static void strand_main(void *arg);

static struct filch__stack *take(struct filch__worker *w, enum filch__depth depth)
{
	return filch__stack_take(&w->stacks[depth], &w->passage.stacks[depth]);
}

static struct filch__strand *strand_new(struct filch__worker *w, struct filch__record *r,
                                        enum filch__depth depth)
{
	struct filch__stack *stack = take(w, depth);
	struct filch__strand *s;

	if (FILCH_UNLIKELY(!stack))
		stack = take(w, depth == FILCH__DEEP ? FILCH__SHALLOW : FILCH__DEEP);
	if (!stack)
		return NULL;
	s = filch__strand_of(stack);
	filch__strand_init(s, w->pool, r, stack->lo, (char *)s);
	s->stack = stack;
	filch__fiber_init(&s->fiber, stack->lo, s, strand_main, s);
	return s;
}

static void strand_end(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__stack *stack = s->stack;
	enum filch__depth depth;

	assert(filch__list_empty(&s->loose) && filch__list_empty(&s->listed));
	assert(!s->scope);
	filch__deque_detach(w, s);
	store_rlx(&s->runs, 0); /* a look only */
	filch__fiber_destroy(&s->fiber);
	depth = stack->pool == w->stacks ? FILCH__DEEP : FILCH__SHALLOW;
	filch__stack_give(stack->pool, &w->passage.stacks[depth], stack);
}

/* ---- what it runs ---- */

void filch__strand_past(struct filch__strand *s)
{
	static const struct filch__task left = {"a task of a group", NULL, 0, NULL};
	static struct filch__record past = {.task = &left};

	s->record = &past;
}

/* ThreadSanitizer must not see it: see filch__strand_self(). */
__attribute__((no_sanitize("thread"))) void filch__strand_call(struct filch__strand *s,
                                                               struct filch__record *r)
{
	r->thrown = NULL;
	if (filch__is_loose(r))
		filch__record_task(r)->run(r); /* it runs the user's record */
	else
		filch__record_run(r);
	if (s)
		filch__begun_check(s, __builtin_frame_address(0));
}

void filch__strand_run_record(struct filch__strand *s)
{
	struct filch__record *r = s->record;
	bool joined = !filch__is_loose(r);
	uintptr_t waiter;

	filch__strand_call(s, r);
	if (!joined)
		return; /* its run() has ended the record itself */
	filch__strand_past(s);
	waiter = filch__record_done(r);
	if (waiter & FILCH__IS_ROOT)
		filch__root_done((struct filch__root *)(waiter & ~FILCH__IS_ROOT));
	else if (waiter != FILCH__RUNNING)
		filch__wake(((struct filch__strand *)waiter)->pool,
		            (struct filch__strand *)waiter);
}

/* Takes a task of a group that no other worker has taken. */
static struct filch__loose *next_loose(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__loose *l;
	filch_entry e;

	filch__enter(w);
	l = filch__loose_newest(s);
	if (l)
		filch__loose_remove(s, l);
	else if (s->deque &&
	         filch_bwos_lifo_get(filch__deque_owner(s->deque), &e) == FILCH_OK)
		l = (struct filch__loose *)e;
	if (s->deque)
		filch__deque_share_rest(s->deque);
	filch__leave(w);
	return l;
}

void filch__strand_run_loose(struct filch__strand *s)
{
	for (;;) {
		struct filch__worker *w = filch__worker_self();
		struct filch__loose *l = next_loose(w, s);
		uintptr_t title;

		if (!l)
			return;
		assert(filch__is_loose(&l->head));
		title = filch__title(&l->head);
		store_rlx(&s->runs, title);    /* a look only */
		store_rlx(&w->running, title); /* as above */
		filch__probe_task(w, &l->head);
		filch__strand_call(s, &l->head);
		filch__probe_task_end(filch__worker_self());
	}
}

/* ---- going from strand to strand ---- */

/* Puts away a strand that has stopped to wait. Returns false if there is nothing to wait
 * for. */
static bool settle(struct filch__worker *w, struct filch__strand *s)
{
	FILCH__COUNT(w, suspended, 1);
	filch__strand_wait(s);
	if (s->deque && !filch__deque_is_empty(s->deque))
		filch__deque_show(w, s->deque);
	else
		filch__deque_detach(w, s);
	if (w->passage.after == FILCH__SHELVED)
		filch__shelve(w, s); /* before anybody can wake it */
	filch__probe_stop(w, s, s->reason);
	return w->passage.arm(w->passage.arm_arg, s);
}

/* Puts away the strand that the worker has left. Caller: on the stack that the worker has
 * gone to, so no thread is on that strand's stack. Returns the strand if it has nothing
 * to wait for after all. */
static struct filch__strand *put_away(struct filch__worker *w)
{
	struct filch__strand *s = w->passage.left;

	w->passage.left = NULL;
	assert(w->inside && s->stack && w->active != s);
	FILCH__CHECK(filch__strand_check(s));
	switch (w->passage.after) {
	case FILCH__WAITS:
	case FILCH__SHELVED:
		return settle(w, s) ? NULL : s;
	case FILCH__YIELDS:
		filch__strand_set(s, FILCH__RESUMABLE);
		filch__make_ready(w->pool, w, &s->ready);
		return NULL;
	default:
		strand_end(w, s);
		return NULL;
	}
}

/* Does so if the worker has come from a strand, and not from the scheduler. */
static inline struct filch__strand *arrive(struct filch__worker *w)
{
	return w->passage.left ? put_away(w) : NULL;
}

/* Makes s the worker's active strand. */
static void begin(struct filch__worker *w, struct filch__strand *s)
{
	FILCH__COUNT(w, resumed, 1);
	assert(w->inside && s->pool == w->pool);
	if (s->shelf)
		filch__unshelve(s);
	FILCH__CHECK(filch__strand_check(s));
	filch__strand_set(s, FILCH__ACTIVE);
	w->active = s;
	store_rlx(&w->running, load_rlx(&s->runs)); /* a look only */
	filch__offer(w, s->deque);
	filch__probe_run(w, s);
}

/* Leaves the active strand for the next one in the worker's own set, or for the scheduler
 * if there is none or if the strand may have to resume at once. Returns when the strand
 * resumes, on whichever worker; never if it has ended. */
__attribute__((always_inline)) static inline void go(struct filch__worker *w,
                                                     enum filch__after after)
{
	struct filch__strand *s = w->active;
	bool gone = after == FILCH__ENDED;
	struct filch__strand *next = (gone || after == FILCH__YIELDS) && w->deques.empty
	                                     ? filch__next_own(w)
	                                     : NULL;

	w->passage.left = s;
	w->passage.after = after;
	if (gone)
		filch__probe_stop(w, s, FILCH__BECAUSE(ended));
	else if (after == FILCH__YIELDS)
		filch__probe_stop(w, s, FILCH__BECAUSE(yield));
	filch__exceptions_keep(s);
	if (next) {
		begin(w, next);
		filch__fiber_switch(&s->fiber, &next->fiber, gone);
	} else {
		filch__fiber_switch(&s->fiber, &w->passage.base, gone);
	}
	filch__exceptions_restore(s);
	w = filch__worker_self();
	arrive(w);
	filch__leave(w);
}

void filch__strand_run(struct filch__worker *w, struct filch__strand *s)
{
	assert(w->inside && !w->active);
	while (s) {
		begin(w, s);
		filch__fiber_switch(&w->passage.base, &s->fiber, false);
		w->active = NULL;
		store_rlx(&w->running, 0); /* a look only */
		filch__offer(w, NULL);
		s = arrive(w);
	}
}

/* The first and last frame of a strand. */
static void strand_main(void *arg)
{
	struct filch__strand *s = arg;
	struct filch__worker *w = filch__worker_self();

	filch__exceptions_restore(s);
	arrive(w);
	filch__leave(w);
	filch__strand_run_record(s);
	filch__check_not_child();
	filch__strand_run_loose(s);
	w = filch__worker_self();
	filch__enter(w);
	go(w, FILCH__ENDED);
	__builtin_unreachable();
}

void filch__record_start(struct filch__worker *w, struct filch__record *r,
                         enum filch__depth depth)
{
	struct filch__strand *s = strand_new(w, r, depth);

	if (s)
		filch__strand_run(w, s);
	else
		filch__place_run(w, r);
}

/* ---- stopping ---- */

static void stop(struct filch__worker *w, filch__arm_fn *arm, void *arg,
                 enum filch__after after)
{
	w->passage.arm = arm;
	w->passage.arm_arg = arg;
	go(w, after);
}

FILCH_NOINLINE void filch__suspend(filch__arm_fn *arm, void *arg,
                                   struct filch__reason reason)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__strand *s = w->active;

	assert(!w->inside);
	filch__enter(w);
	filch__expose(w, __builtin_frame_address(0), SIZE_MAX, false);
	s->reason = reason;
	if (s->stack) {
		stop(w, arm, arg, s->left_off ? FILCH__SHELVED : FILCH__WAITS);
	} else {
		filch__place_wait(w, s, arm, arg);
		filch__leave(w);
	}
}

FILCH_NOINLINE void filch__suspend_shelved(filch__arm_fn *arm, void *arg,
                                           struct filch__reason reason)
{
	struct filch__worker *w = filch__worker_self();

	if (!w->active->stack) {
		filch__suspend(arm, arg, reason);
		return;
	}
	assert(!w->inside);
	filch__enter(w);
	filch__expose_loose(w, w->active);
	w->active->left_off = NULL; /* its stack is looked through from the top */
	w->active->reason = reason;
	stop(w, arm, arg, FILCH__SHELVED);
}

/* Does what go() does, for the only worker of a pool: no other worker can take the strand
 * that is left, or read its state. Returns false if no strand comes next. */
static bool yield_alone(struct filch__worker *w)
{
	struct filch__strand *s = w->active, *next = filch__next_own_for(w, s);

	if (!next)
		return false;
	filch__probe_stop(w, s, FILCH__BECAUSE(yield));
	begin(w, next);
	filch__exceptions_keep(s);
	filch__fiber_switch(&s->fiber, &next->fiber, false);
	filch__exceptions_restore(s);
	arrive(w);
	filch__leave(w);
	return true;
}

/* Not inlined: it would make yield_alone() slower, which is most often enough. */
FILCH_NOINLINE static void yield_slow(struct filch__worker *w)
{
	go(w, FILCH__YIELDS);
}

FILCH_NOINLINE void filch__yield(void)
{
	struct filch__worker *w = filch__worker_self();

	if (!w->active->stack)
		return;
	filch__enter(w);
	if (!w->alone || !yield_alone(w))
		yield_slow(w);
}

/* ---- waking ---- */

struct filch__ticket filch__ticket(struct filch__strand *s)
{
	return (struct filch__ticket){s, load_rlx(&s->state), /* its runner's own */
	                              !s->stack};
}

bool filch__wake_ticket(struct filch_pool *pool, struct filch__ticket t)
{
	struct filch__strand *s = t.strand;

	if (filch__strand_state(t.state) != FILCH__SUSPENDED)
		return false;
	/* S6 release: pairs with the acquire in filch__strand_is_woken(); carries what
	 * the waker did, to a strand that waits in place. */
	if (!cas_rel(&s->state, &t.state, t.state - FILCH__SUSPENDED + FILCH__RESUMABLE))
		return false;
	if (t.in_place)
		filch__call_all(pool);
	else
		filch__make_ready(pool, filch__worker_of(pool), &s->ready);
	return true;
}

bool filch__wake(struct filch_pool *pool, struct filch__strand *s)
{
	return filch__wake_ticket(pool, filch__ticket(s)); /* the CAS checks */
}

bool filch__strand_is_woken(struct filch__strand *s)
{
	/* S6 acquire: pairs with the release in filch__wake_ticket(); carries what the
	 * waker did. */
	return filch__strand_state(load_acq(&s->state)) != FILCH__SUSPENDED;
}
