/* SPDX-License-Identifier: MIT */
/*
 * A seat is a worker as the scheduler knows it; a pool is the state that its workers
 * share. In both, fields are grouped by the file that writes them.
 */
#ifndef FILCH_SCHED_SEAT_H
#define FILCH_SCHED_SEAT_H

#include "queue/runq.h"
#include "sched/inbox.h"
#include "sched/park.h"
#include "sched/timer.h"
#include "sched/victim.h"
#include "strand/worker.h"

/* The most records that a block steal takes. */
#define FILCH__BLOCK_STEAL 32

/* Workers that share timers. The model checker has larger rows. */
#ifndef FILCH__ROW
#define FILCH__ROW 2u
#endif

/* The next thing to do: one of the two is set. */
struct filch__job {
	struct filch__strand *strand; /* to be resumed */
	struct filch__record *record; /* to be begun */
	enum filch__depth depth;      /* on a stack of this depth */
	struct filch__worker *victim; /* from whose strand it was stolen, or NULL */
};

/* own.c: the work that waits for this worker. */
struct filch__own {
	struct filch__ready *picked;  /* taken from its set, and not yet looked at */
	int32_t until_inbox;          /* jobs until the next look into the inbox */
	int32_t inbox_every;          /* the value that it began with */
	uint64_t inbox_at;            /* when it last looked there */
	struct filch__deque *carrier; /* the next carrier, or NULL */
	/* Records of a block steal for which a carrier had no room. */
	struct filch__record *held[FILCH__BLOCK_STEAL];
	uint32_t held_n;
	bool put_aside; /* something, and has not told the other workers */
};

/* steal.c: the choice of victims. */
struct filch__theft {
	struct filch__victims victims; /* only in pools of several workers */
	struct filch__random random;
};

/* call.c. A worker that handles events is QUIET: it calls another worker once, at the
 * end, if there was anything to call for (TO_CALL). */
enum filch__voice { FILCH__LOUD, FILCH__QUIET, FILCH__TO_CALL };

/* How often the worker calls another one when it begins a task. */
struct filch__spread {
	uint32_t skip;    /* tasks until it calls again */
	uint32_t vain;    /* calls in a row after which it was not asked for anything */
	uint64_t exposed; /* tasks that it had exposed when it last called */
};

struct filch__calls {
	enum filch__voice voice;
	struct filch__spread spread;
	struct filch__lock steering; /* protects the next two; callers take it too */
	_Atomic(bool) steered;       /* the worker is kept off its caller's processor */
	cpu_set_t may;               /* where it may run otherwise */
	_Atomic(int) beside; /* 1 + the processor of its caller, which goes on; or 0 */
};

/* home.c: where the worker's thread runs. */
enum filch__home_kind {
	FILCH__HOME_NONE,  /* anywhere */
	FILCH__HOME_FREE,  /* the worker returns to `at` when it is idle */
	FILCH__HOME_BOUND, /* it never leaves `at` */
};

struct filch__home {
	enum filch__home_kind kind; /* constant, and so is this: */
	cpu_set_t at;
	uint64_t after;    /* it does not return before then */
	uint64_t pause_ns; /* how long that was after its last return */
};

/* lookout.c. */
struct filch__watch {
	bool watching;      /* it is the pool's lookout */
	bool stirred;       /* a strand has set a timer that is now the first */
	uint32_t other;     /* how far off the row is that it looks at next, less 1 */
	uint64_t looked_at; /* when it last looked for events */
};

/* idle.c. */
struct filch__hunger {
	bool begging;           /* it is the pool's beggar */
	bool useful;            /* it has just found something to do */
	bool helped;            /* ... and that was another worker's */
	bool ask_first;         /* it has seen something to ask for */
	bool called;            /* it was called since it last found something */
	bool blind;             /* it asks also where it sees nothing */
	uint64_t linger_ns;     /* how long it stays awake when it has been useful */
	uint32_t fruitless;     /* naps since it last found something */
	uint32_t looks;         /* at workers, of most of which nothing was seen */
	uint32_t glanced;       /* the worker at which it glances next */
	uint64_t shelves_after; /* it sweeps no other worker's shelf before then */
	uint64_t shelves_ns;    /* how long that is after the last sweep */
	uint32_t shelf;         /* the worker whose shelf comes next */
};

/* hold.h: how many holds of the pool were taken, and how many were released. Neither ever
 * falls. */
struct filch__holds {
	_Atomic(uint64_t) taken, released;
};

struct filch__loan;

struct filch__seat {
	struct filch__worker worker; /* first */

	/* Other workers read these. */
	alignas(FILCH_LINE) struct filch_runq ready; /* own.c: its stealable set */
	alignas(FILCH_LINE) _Atomic(uint32_t) busy;  /* idle.c: it runs strands */

	/* The worker's own, except for the fields that `steering` protects. */
	alignas(FILCH_LINE) struct filch__own own;
	struct filch__theft theft;
	struct filch__watch watch;
	struct filch__hunger hunger;
	struct filch__home home;
	struct filch__calls calls;
	struct filch__holds holds; /* read when the pool ends */
	struct filch__loan *loan;  /* lend.c: NULL, or the worker is a thread outside */
};

static inline struct filch__seat *filch__seat_of(struct filch__worker *w)
{
	return (struct filch__seat *)w;
}

struct filch__driver;

/* The state that the workers of a pool share. src/pool makes and ends it, as the first
 * member of a larger struct of its own. What is written while the pool runs is kept in
 * lines apart, so that a worker that writes one word takes no other from the rest. */
struct filch_pool {
	struct filch__lot lot; /* first */

	/* Constant, but for `stop`, which is written once. Every steal reads these. */
	alignas(FILCH_LINE) uint32_t workers;
	uint32_t cpus;          /* processors that the pool may use */
	_Atomic(uint32_t) stop; /* src/pool: the workers are to end */
	uint32_t rows;          /* of seats; timers[rows] */
	struct filch__seat *seat;
	struct filch__timers *timers; /* of each row; have locks of their own */
	bool probabilistic; /* a steal is attempted with a chance that follows the size */
	bool block_steal;   /* a steal takes up to FILCH__BLOCK_STEAL records */
	/* Looks for a deadlock, or NULL. The first worker calls it now and then while it
	 * has nothing to do (idle.c). */
	void (*look_stuck)(struct filch_pool *pool);
	_Atomic(struct filch__driver *)
		driver; /* lookout.c: of events outside, or NULL; written once */

	struct filch__tally busy;      /* idle.c: they run strands */
	struct filch__tally searching; /* idle.c: they look for work */
	/* idle.c, lookout.c: 1 + the worker that begs, or watches, for all; or 0 */
	alignas(FILCH_LINE) _Atomic(uint32_t) beggar;
	_Atomic(uint32_t) lookout;
	_Atomic(bool) lends; /* lend.c: it has lent a seat; a hint */
	alignas(FILCH_LINE) struct filch__inbox inbox;
	/* own.c: no stack for these so far */
	alignas(FILCH_LINE) struct filch__inbox aside[FILCH__DEPTHS];
	/* hold.h: threads outside that are waking a strand; the holds of such threads */
	alignas(FILCH_LINE) _Atomic(uint32_t) guests;
	_Atomic(uint32_t) tenants; /* hold.h: threads outside that await as workers */
	struct filch__holds holds;
	uint64_t stuck_since; /* src/observe: the number of steps when it last looked */
	uint32_t stuck_looks; /* src/observe: looks since that has not changed */

	struct filch__stacks stacks[FILCH__DEPTHS]; /* have locks of their own */
};

/* The timers of this worker's row, or those for threads outside (NULL). */
static inline struct filch__timers *filch__timers(struct filch_pool *pool,
                                                  const struct filch__worker *w)
{
	return &pool->timers[w ? w->index / FILCH__ROW : 0];
}

/* Asserts that the workers of a pool have left no record, no role and no count. Caller:
 * the workers have stopped. */
void filch__seats_check(struct filch_pool *pool);

#endif
