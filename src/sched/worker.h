/* SPDX-License-Identifier: MIT */
/*
 * Workers and their pool: who runs what. See src/sched/README.md.
 */
#ifndef FILCH_SCHED_WORKER_H
#define FILCH_SCHED_WORKER_H

#include <filch/pool.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "base/random.h"
#include "base/topology.h"
#include "sched/options.h"
#include "sched/park.h"
#include "sched/shelf.h"
#include "sched/strand.h"
#include "sched/timer.h"
#include "sched/victim.h"
#include "trace/events.h"

/* Counters: their worker writes, anyone reads. */
struct filch__counters {
#define FILCH__COUNTER(name, text) _Atomic(uint64_t) name;
	FILCH_COUNTERS(FILCH__COUNTER)
#undef FILCH__COUNTER
};

/* A counter goes up: no read-modify-write, since only its worker writes it. */
#define FILCH__COUNT(w, name, n) \
	store_rlx(&(w)->counters.name, load_rlx(&(w)->counters.name) + (n)) /* own */

/* Records that a block steal takes at most. */
#define FILCH__BLOCK_STEAL 32

/* Whether a worker that makes something ready calls another one: no, but later; there is
 * something to call for. */
enum filch__voice { FILCH__LOUD, FILCH__QUIET, FILCH__TO_CALL };

/* SHELVED: it waits, and its private tasks were not exposed. */
enum filch__after { FILCH__ENDED, FILCH__WAITS, FILCH__SHELVED, FILCH__YIELDS };

struct filch__worker {
	/* For thieves. */
	alignas(FILCH_LINE) _Atomic(struct filch__deque *)
		offered;             /* the active strand's */
	_Atomic(uint32_t) busy;      /* runs strands: can be asked; its worker writes */
	_Atomic(uint32_t) asked;     /* was asked, has not answered; both sides write */
	_Atomic(uint64_t) ask_after; /* not to be asked before this time; it writes */
	struct filch_runq ready;     /* its stealable set */
	struct filch__shelf shelf;

	/* Its own. */
	alignas(FILCH_LINE) struct filch_pool *pool; /* constant */
	uint32_t index;                              /* constant */
	pthread_t thread;                            /* constant */
	struct filch__events *events;                /* of its trace, or NULL; constant */
	struct filch__strand *active;                /* NULL: in the scheduler */
	_Atomic(const struct filch__task *) running; /* its task; anyone has a look */
	struct filch__strand *in_place; /* the innermost that waits in place */
	struct filch__place
		*places; /* for strands in place; they are never freed before */
	volatile sig_atomic_t inside; /* a signal handler must not touch strands now */
	volatile sig_atomic_t noted;  /* one would have */
	struct filch__fiber base;     /* the thread's own stack */
	struct filch__strand *left;   /* the strand that it has come from */
	enum filch__after after;      /* why it has left it */
	filch__arm_fn *arm;           /* WAITS: what to do then */
	void *arm_arg;
	struct filch__stack_cache stacks;
	struct filch__deque *deques;             /* empty ones */
	struct filch__deque *carrier, *carriers; /* the next carrier; more of them */
	struct filch__deque *all_deques;         /* of its making */
	struct filch__ready *picked; /* taken from its set, not yet looked at */
	/* Of a block steal, what found no place. */
	struct filch__record *held[FILCH__BLOCK_STEAL];
	uint32_t held_n;
	struct filch__victims victims;
	struct filch__random random;
	int32_t until_inbox;         /* jobs until it looks there, though it has others */
	int32_t inbox_every;         /* what that began with */
	uint64_t inbox_at;           /* when it last looked there */
	uint32_t batch;              /* how many records to expose when asked */
	uint64_t asked_at;           /* when it last was */
	size_t gained;               /* how many were exposed then */
	uint64_t hidden_at;          /* how many had been taken back by then */
	uint32_t barren;             /* how often in vain, since it last was not */
	uint64_t sweep_again;        /* not before this a whole deep stack */
	struct filch__lock steering; /* of these: */
	_Atomic(bool) steered;       /* kept off the processor of who has called it */
	cpu_set_t may;               /* where it may run otherwise */
	bool begging;                /* it is the pool's beggar */
	bool useful;                 /* it has found something to do, the last time */
	bool watching;               /* it is on the lookout */
	bool stirred;            /* a strand has set a timer that is the next of all */
	uint64_t shelves_after;  /* not to sweep others' shelves before this time */
	uint64_t shelves_ns;     /* how long after the last time */
	uint64_t looked_at;      /* for events, the last time */
	enum filch__voice quiet; /* while it handles events */
	uint32_t fruitless;      /* naps since it last found something */
	char *thread_lo, *thread_hi; /* the thread's own stack */
	void *signal_stack;
	struct filch__counters counters;
};

struct filch__driver;
struct filch__trace;

struct filch_pool {
	struct filch__lot lot; /* first */
	struct filch__inbox inbox;
	_Atomic(uint32_t)
		beggar; /* 1 + the worker that begs on behalf of all that are idle */
	_Atomic(uint32_t) lookout; /* 1 + the worker that is on the lookout, or 0 */
	_Atomic(struct filch__driver *) driver; /* of what happens outside, or NULL */
	void *helpers; /* threads of src/io, made on first use; under its own lock */
	void (*helpers_destroy)(void *helpers);
	struct filch__timers timers;
	_Atomic(uint32_t) stop;
	_Atomic(uint32_t) gate;      /* 1: the workers may begin */
	_Atomic(uint32_t) busy;      /* workers that are; they write */
	_Atomic(uint32_t) searching; /* workers that look for work; they write */
	_Atomic(uint32_t) guests;    /* threads outside that are waking somebody */
	_Atomic(uint64_t) live; /* tasks that other threads have given, and futures */
	uint32_t workers;       /* constant from here on */
	uint32_t cpus;          /* processors there are for it */
	uint32_t started;       /* of them, how many have a thread */
	struct filch__worker *worker;
	struct filch__parker *parker;
	struct filch__settings settings;
	struct filch__topology topology;
	struct filch__stacks stacks;
	pthread_barrier_t end;        /* where its threads meet before they go */
	struct filch__trace *trace;   /* or NULL */
	sigset_t outside;             /* the signal mask of the thread that made it */
	pid_t pid;                    /* of the process whose threads the workers are */
	uint64_t made_ns;             /* when it was made */
	struct filch_pool *next_pool; /* see filch__pools_each() */
};

/* Visits the pools of this process. None is destroyed meanwhile. */
void filch__pools_each(void (*visit)(struct filch_pool *pool, void *arg), void *arg);

/* The calling thread's worker, or NULL. Never inlined: on a strand the answer changes with
 * each suspension. */
struct filch__worker *filch__worker_self(void);
void filch__worker_main(struct filch__worker *w);

/* In the child of a fork: this thread is nobody's worker any more. */
void filch__worker_forget(void);

/* Between these two no signal handler touches the worker's strand. */
static inline void filch__enter(struct filch__worker *w)
{
	w->inside = 1;
	__asm__ volatile("" ::: "memory");
}

void filch__answer_noted(struct filch__worker *w);

static inline void filch__leave(struct filch__worker *w)
{
	__asm__ volatile("" ::: "memory");
	w->inside = 0;
	__asm__ volatile("" ::: "memory");
	if (FILCH_UNLIKELY(w->noted))
		filch__answer_noted(w);
}

/* Shows thieves the deque of the worker's active strand, or NULL. Caller: the worker. */
static inline void filch__offer(struct filch__worker *w, struct filch__deque *d)
{
	/* S5 release: pairs with the acquire in filch__offered(); carries the deque. */
	store_rel(&w->offered, d);
}

/* Anyone's. */
static inline struct filch__deque *filch__offered(struct filch__worker *w)
{
	/* S5 acquire: pairs with the release in filch__offer(); carries the deque. */
	return load_acq(&w->offered);
}

/* The worker runs strands from here on: it can be asked, and somebody must be there to
 * ask. */
void filch__become_busy(struct filch__worker *w);

/* Makes it known that r waits for a worker. `w`: the calling worker, or NULL. */
void filch__make_ready(struct filch_pool *pool, struct filch__worker *w,
                       struct filch__ready *r);

/* Wakes an idle worker, after something was made stealable. */
void filch__call_somebody(struct filch_pool *pool, struct filch__worker *w);

/* Much is about to be spawned here: whoever is idle may ask at once. Caller: the worker,
 * which is not interrupted (filch__enter()). */
void filch__call_beggar(struct filch__worker *w);

/* Whether the worker has a carrier at hand: a deque for records that no strand has. */
bool filch__carrier_ready(struct filch__worker *w);

/* Puts the deque of a strand that has stopped where thieves find it. */
void filch__deque_show(struct filch__worker *w, struct filch__deque *d);

/* Moves the records of a deque into carriers. Caller: its owner. */
void filch__deque_empty_out(struct filch__worker *w, struct filch__deque *d);

/* Whether the worker has an empty deque at hand. */
bool filch__deque_ready(struct filch__worker *w);

/* A deque for a strand that has none: one that is at hand, or NULL. Caller: runs the strand,
 * or holds it; inside. */
struct filch__deque *filch__deque_attach(struct filch__worker *w,
                                         struct filch__strand *s);

#endif
