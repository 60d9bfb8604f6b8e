/* SPDX-License-Identifier: MIT */
/*
 * Strands: what stops and goes on. A strand is a stack, the place where it stopped, and,
 * once it has exposed work, a deque. See src/sched/README.md, "Strands".
 */
#ifndef FILCH_SCHED_STRAND_H
#define FILCH_SCHED_STRAND_H

#include <filch/record.h>

#include "fiber/stack.h"
#include "fiber/switch.h"
#include "sched/deque.h"
#include "trace/events.h"

struct filch_group;
struct filch__loose;
struct filch__shelf;

enum filch__strand_state {
	FILCH__ACTIVE,    /* a worker runs it */
	FILCH__SUSPENDED, /* it waits; what it exposed can be stolen */
	FILCH__RESUMABLE, /* the wait is over; it waits for a worker */
	FILCH__MUGGABLE,  /* as RESUMABLE, and something was stolen from it since */
};

/* A task of a group that runs on a strand: in the frame that calls it. */
struct filch__scope {
	struct filch_group *group;
	struct filch__scope *outer;
};

/* What the C++ runtime keeps for each thread (Itanium C++ ABI, 2.2.2), and what belongs to
 * the strand: it may stop in a catch block and go on elsewhere. */
struct filch__exceptions {
	void *caught;
	unsigned uncaught;
};

/* Lies at the top of its own stack; always at the same place, so that a ticket can be
 * looked at when its strand is gone. */
struct filch__strand {
	struct filch__ready ready; /* first: its place in a stealable set */
	/* An enum filch__strand_state, and above it the number of waits so far, which goes
	 * on from strand to strand of a stack. See README.md. */
	_Atomic(uint32_t) state;
	struct filch_pool *pool; /* constant */
	/* What it was begun for, or the task of a group that it runs; NULL: it has ended.
	 * Its runner writes, anyone has a look. */
	_Atomic(const struct filch__task *) runs;
	/* The rest belongs to whoever runs it, or holds it to do so. */
	struct filch__fiber fiber;
	struct filch__stack *stack;   /* NULL: it runs in place, on its worker's own */
	char *lo, *hi;                /* where its frames are */
	struct filch__deque *deque;   /* NULL until something was exposed */
	struct filch__record *record; /* what it was started for, until that is done */
	char *swept;                  /* no private record is older than this; or NULL */
	struct filch__loose *newest, *oldest; /* private tasks of groups */
	struct filch_group *group;            /* it was begun for a task of, or NULL */
	struct filch__scope *scope; /* the task of a group that it runs now, or NULL */
	struct filch__exceptions exceptions; /* while it is stopped */
	struct filch__reason reason; /* why it has stopped to wait, the last time */
	struct filch__shelf *shelf;  /* that it was put on when it stopped, or NULL */
	struct filch__strand *newer, *older; /* there; under its lock, as this: */
	bool on_shelf;
};

/* Where the strand of a stack lies. */
static inline struct filch__strand *filch__strand_of(const struct filch__stack *stack)
{
	return (struct filch__strand *)(((uintptr_t)stack->hi -
	                                 sizeof(struct filch__strand)) &
	                                ~(uintptr_t)(FILCH_LINE - 1));
}

/* A strand that runs in place, on its worker's stack. */
struct filch__place {
	struct filch__strand strand; /* first */
	struct filch__place *next;   /* one that is not in use */
};

/* The group that the frame at this address works for: stacks grow downwards. */
static inline struct filch_group *filch__group_at(const struct filch__strand *s,
                                                  const void *address)
{
	for (const struct filch__scope *c = s->scope; c; c = c->outer)
		if ((const char *)address < (const char *)c)
			return c->group;
	return s->group;
}

/* Has `arm` (on another stack, once this strand is stopped) leave word that the strand is
 * to be woken, and waits for that. If `arm` says false, there is nothing to wait for.
 * Exposes all private tasks first. `reason` is for people. Caller: on a strand. */
typedef bool filch__arm_fn(void *arg, struct filch__strand *s);
void filch__suspend(filch__arm_fn *arm, void *arg, struct filch__reason reason);

/* The same, but only tasks of groups are exposed: the strand is put on a shelf. */
void filch__suspend_shelved(filch__arm_fn *arm, void *arg, struct filch__reason reason);

/* What the strand was begun for is about to be done, and may then be gone. Caller: the
 * strand, which may still run tasks of groups that are left on it. */
void filch__strand_past(struct filch__strand *s);

/* Lets others that are ready run first. Caller: on a strand. */
void filch__yield(void);

/* One wait of a strand, for wakers that may come too late: when another has woken it, and
 * it waits for something else or is gone. Caller: `arm`, or the strand's runner. */
struct filch__ticket {
	struct filch__strand *strand;
	uint32_t state;
	bool in_place; /* it runs on its worker's stack */
};

struct filch__ticket filch__ticket(struct filch__strand *s);

/* The wait is over. Any thread; any number of times: only the first counts, and false
 * says that it was not this one. */
bool filch__wake_ticket(struct filch_pool *pool, struct filch__ticket t);

/* The same for a waker that knows the strand to be in this wait, or already woken from
 * it. */
bool filch__wake(struct filch_pool *pool, struct filch__strand *s);

#define FILCH__STATE_BITS 2u

/* Bytes at either end of a strand's stack that are fetched before it goes on. */
#define FILCH__FRAMES ((size_t)640)

static inline uint32_t filch__strand_state(uint32_t word)
{
	return word & ((1u << FILCH__STATE_BITS) - 1);
}

/* Caller: its runner, or who holds it. */
static inline void filch__strand_set(struct filch__strand *s,
                                     enum filch__strand_state state)
{
	uint32_t word = load_rlx(&s->state); /* nobody else changes it */

	store_rlx(&s->state, word - filch__strand_state(word) + state); /* see caller */
}

/* A new wait begins: no ticket of an older one fits. */
static inline void filch__strand_wait(struct filch__strand *s)
{
	uint32_t word = load_rlx(&s->state) >> FILCH__STATE_BITS; /* nobody else */

	store_rlx(&s->state, /* published by what arm leaves */
	          (word + 1) << FILCH__STATE_BITS | FILCH__SUSPENDED);
}

#endif
