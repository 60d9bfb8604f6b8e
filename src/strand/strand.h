/* SPDX-License-Identifier: MIT */
/*
 * Strands, which stop and resume. A strand is a stack, the place where it stopped, and,
 * once it has exposed work, a deque. See README.md, "Strands".
 */
#ifndef FILCH_STRAND_STRAND_H
#define FILCH_STRAND_STRAND_H

#include <assert.h>
#include <filch/detail/record.h>

#include "base/cpu.h"
#include "base/list.h"
#include "fiber/stack.h"
#include "fiber/switch.h"
#include "strand/deque.h"
#include "strand/ready.h"
#include "trace/events.h"

struct filch_group;
struct filch__shelf;
struct filch__worker;

enum filch__strand_state {
	FILCH__ACTIVE,    /* a worker runs it */
	FILCH__SUSPENDED, /* it waits; what it exposed can be stolen */
	FILCH__RESUMABLE, /* its wait is over; it waits for a worker */
	FILCH__MUGGABLE,  /* as RESUMABLE, and something was stolen from it since */
};

/* A task of a group that runs on a strand. This lies in the frame that calls the task. */
struct filch__scope {
	struct filch_group *group;
	struct filch__scope *outer;
};

/* The state that the C++ runtime keeps per thread (Itanium C++ ABI, 2.2.2). It belongs to
 * the strand: a strand may stop in a catch block and resume on another thread. */
struct filch__exceptions {
	void *caught;
	unsigned uncaught;
};

/* A strand lies at the top of its own stack, always at the same place, so that a ticket
 * can be checked when its strand is gone. */
struct filch__strand {
	struct filch__ready ready; /* first: its place in a stealable set */
	/* An enum filch__strand_state, and above it the number of waits so far, which
	 * continues from one strand of a stack to the next. The strand's runner and its
	 * first waker write it. */
	_Atomic(uint32_t) state;
	struct filch_pool *pool; /* constant */
	/* The title (names.h) of the task that the strand was begun for, or of the task of
	 * a group that it runs; 0: the strand has ended. The strand's runner writes it,
	 * any thread reads it. */
	_Atomic(uintptr_t) runs;

	/* All that follows belongs to the worker that runs the strand, or holds it to do
	 * so. strand.c writes: */
	struct filch__fiber fiber;
	struct filch__stack *stack;   /* NULL: it runs in place, on its worker's stack */
	char *lo, *hi;                /* where its frames are */
	struct filch__deque *deque;   /* deque.c; NULL until something was exposed */
	struct filch__record *record; /* the one it was begun for, until that is done */
	/* expose.c: no private record is older than this; or NULL. */
	char *swept;
	/* expose.c: a look through the stack ended here for lack of time; or NULL. */
	char *left_off;
	/* A strand that stops, resumes or ends has this line and the ones above read. */
	struct filch__list listed;  /* listed.h: private records that are in a list */
	struct filch__list loose;   /* loose.h: private tasks of groups */
	struct filch_group *begun;  /* begun.c: the newest group in its frames, or NULL */
	struct filch__shelf *shelf; /* shelf.c: it was put there in this wait; or NULL */
	struct filch__reason reason; /* why it last stopped to wait */
	uint32_t kept;   /* src/wait: calls in a row that might have waited and did not */
	uint32_t yields; /* src/wait: by the program, so far */

	struct filch_group *group;  /* the group of the first task, or NULL */
	struct filch__scope *scope; /* src/task: the task of a group that runs, or NULL */
	uint32_t begun_count;       /* begun.c: groups in the list of `begun` */
	_Atomic(uint32_t) astray; /* another strand, which sets it, has waited for one */
	struct filch__exceptions exceptions; /* while it is stopped */

	/* shelf.c writes, under the shelf's lock: */
	struct filch__link shelf_link; /* its place there */
	bool on_shelf;
};

/* Why a worker has left its strand. SHELVED: the strand waits, and its private tasks were
 * not exposed. */
enum filch__after { FILCH__ENDED, FILCH__WAITS, FILCH__SHELVED, FILCH__YIELDS };

/* Lets the waker of a strand find it. Called on another stack, once the strand has
 * stopped. Returns false if there is nothing to wait for after all. */
typedef bool filch__arm_fn(void *arg, struct filch__strand *s);

/* The state that a worker keeps while it goes from one strand to another. */
struct filch__passage {
	struct filch__fiber base;   /* the thread's own stack */
	struct filch__strand *left; /* the strand that the worker has come from */
	enum filch__after after;    /* why it has left that strand */
	filch__arm_fn *arm;         /* WAITS, SHELVED: called on the other stack */
	void *arm_arg;
	struct filch__stack_cache stacks[FILCH__DEPTHS];
};

/* Returns where the strand of a stack lies. */
static inline struct filch__strand *filch__strand_of(const struct filch__stack *stack)
{
	return (struct filch__strand *)(((uintptr_t)stack->hi -
	                                 sizeof(struct filch__strand)) &
	                                ~(uintptr_t)(FILCH_LINE - 1));
}

/* Makes s a strand for this record, with its frames in [lo, hi). */
void filch__strand_init(struct filch__strand *s, struct filch_pool *pool,
                        struct filch__record *r, char *lo, char *hi);

/* Returns the group that the frame at this address works for. Stacks grow downwards. */
static inline struct filch_group *filch__group_at(const struct filch__strand *s,
                                                  const void *address)
{
	for (const struct filch__scope *c = s->scope; c; c = c->outer)
		if ((const char *)address < (const char *)c)
			return c->group;
	return s->group;
}

/* Begins and ends the scope of a task of this group in the caller's frame. A signal
 * handler that comes in between finds a scope whose fields are in memory. */
static inline void filch__scope_begin(struct filch__strand *s, struct filch__scope *here,
                                      struct filch_group *g)
{
	here->group = g;
	here->outer = s->scope;
	filch__signal_fence();
	s->scope = here;
	filch__signal_fence();
}

static inline void filch__scope_end(struct filch__strand *s,
                                    const struct filch__scope *here)
{
	assert(s->scope == here);
	s->scope = here->outer;
	filch__signal_fence();
}

/* ---- running; caller: the worker, in the scheduler ---- */

/* Runs a strand until it stops or ends. */
void filch__strand_run(struct filch__worker *w, struct filch__strand *s);

/* Begins a strand for a record and runs it, on a stack of this depth; if the system gives
 * none, on one of another depth; without memory for that either, in place. */
void filch__record_start(struct filch__worker *w, struct filch__record *r,
                         enum filch__depth depth);

/* ---- stopping; caller: on a strand ---- */

/* Stops the strand, has `arm` leave word that the strand is to be woken, and returns when
 * it was woken, or at once if `arm` returns false. Exposes all private tasks first.
 * `reason` is for people. */
void filch__suspend(filch__arm_fn *arm, void *arg, struct filch__reason reason);

/* Does the same, but exposes only tasks of groups, and puts the strand on a shelf. */
void filch__suspend_shelved(filch__arm_fn *arm, void *arg, struct filch__reason reason);

/* Lets other work that is ready run first. */
void filch__yield(void);

/* ---- what a strand runs; caller: the strand ---- */

/* Runs the record that the strand was begun for, and wakes whatever waits for it. */
void filch__strand_run_record(struct filch__strand *s);

/* Calls the task of a record, whose `thrown` is set then, and checks what it has left
 * behind. Outside a pool there is no strand: s is NULL. */
void filch__strand_call(struct filch__strand *s, struct filch__record *r);

/* Runs the tasks of groups that were spawned on this strand and are left. */
void filch__strand_run_loose(struct filch__strand *s);

/* Called when the task that the strand was begun for is about to be done: its record may
 * then be gone, while the strand may still run tasks of groups that are left on it. */
void filch__strand_past(struct filch__strand *s);

/* ---- waking ---- */

/* One wait of a strand, for wakers that may come too late: when another waker has woken
 * the strand, which now waits for something else or is gone. */
struct filch__ticket {
	struct filch__strand *strand;
	uint32_t state;
	bool in_place; /* it runs on its worker's stack */
};

/* Returns a ticket for the present wait. Caller: `arm`, or the strand's runner. */
struct filch__ticket filch__ticket(struct filch__strand *s);

/* Ends the wait. Only the first call counts: returns false if this was not the first.
 * Caller: any thread, any number of times. */
bool filch__wake_ticket(struct filch_pool *pool, struct filch__ticket t);

/* Does the same for a waker that knows that the strand is in this wait, or was already
 * woken from it. */
bool filch__wake(struct filch_pool *pool, struct filch__strand *s);

/* Returns true if a strand that waits in place was woken. Caller: its worker. */
bool filch__strand_is_woken(struct filch__strand *s);

/* ---- the state word ---- */

#define FILCH__STATE_BITS 2u

/* Bytes at either end of a strand's stack that are prefetched before it resumes. */
#define FILCH__FRAMES ((size_t)640)

static inline enum filch__strand_state filch__strand_state(uint32_t word)
{
	return (enum filch__strand_state)(word & ((1u << FILCH__STATE_BITS) - 1));
}

/* Returns true if a strand may go from one state to another: README.md, "States". */
static inline bool filch__strand_may(enum filch__strand_state from,
                                     enum filch__strand_state to)
{
	switch (to) {
	case FILCH__ACTIVE: /* from SUSPENDED: there was nothing to wait for */
		return true;
	case FILCH__SUSPENDED:
		return from == FILCH__ACTIVE;
	case FILCH__RESUMABLE:
		return from == FILCH__ACTIVE || from == FILCH__SUSPENDED;
	default:
		return from == FILCH__RESUMABLE;
	}
}

/* Caller: the strand's runner, or the worker that holds it. */
static inline void filch__strand_set(struct filch__strand *s,
                                     enum filch__strand_state state)
{
	uint32_t word = load_rlx(&s->state); /* nobody else changes it */

	assert(filch__strand_may(filch__strand_state(word), state));
	store_rlx(&s->state, word - filch__strand_state(word) + state); /* see caller */
}

/* Begins a new wait: no ticket of an older wait fits it. Caller: the strand's runner. */
static inline void filch__strand_wait(struct filch__strand *s)
{
	uint32_t word = load_rlx(&s->state); /* nobody else changes it */

	assert(filch__strand_may(filch__strand_state(word), FILCH__SUSPENDED));
	store_rlx(&s->state, /* published by what arm leaves */
	          ((word >> FILCH__STATE_BITS) + 1) << FILCH__STATE_BITS |
	                  FILCH__SUSPENDED);
}

/* Asserts the invariants of a strand that the caller runs or holds: README.md, 5 to 7. */
void filch__strand_check(const struct filch__strand *s);

#endif
