/* SPDX-License-Identifier: MIT */
/*
 * A worker as strands know it: the thread that runs them. The fields that the scheduler
 * adds are in sched/seat.h. Fields are grouped by the file that writes them.
 */
#ifndef FILCH_STRAND_WORKER_H
#define FILCH_STRAND_WORKER_H

#include <signal.h>

#include "base/thread.h"
#include "strand/ask.h"
#include "strand/counters.h"
#include "strand/deque.h"
#include "strand/place.h"
#include "strand/shelf.h"
#include "strand/strand.h"

struct filch__worker {
	/* Other workers read or write these. */
	alignas(FILCH_LINE) _Atomic(struct filch__deque *)
		offered; /* the active strand's deque; this worker writes */
	struct filch__question question;
	alignas(FILCH_LINE) struct filch__shelf shelf;

	/* The thread that is the worker at present (base/thread.h); it writes this. */
	alignas(FILCH_LINE) _Atomic(uint64_t) address;

	/* Constant. */
	struct filch_pool *pool;
	uint32_t index;               /* in the pool */
	bool alone;                   /* it is the only worker of the pool */
	struct filch__thread thread;  /* the worker's own; another may be the worker */
	struct filch__events *events; /* of its trace, or NULL */
	struct filch__stacks *stacks; /* the pool's: one of each depth */

	/* All that follows is the worker's own, except that any thread reads `running`
	 * and `counters`. */
	volatile sig_atomic_t inside; /* a signal handler must not touch strands now */
	volatile sig_atomic_t noted;  /* a question came meanwhile */
	struct filch__strand *active; /* NULL: the worker is in the scheduler */
	_Atomic(uintptr_t) running;   /* the title of what the active strand runs, or 0 */
	struct filch__passage passage;
	struct filch__deques deques;
	struct filch__answers answers;
	uint64_t sweep_again; /* expose.c: no whole deep stack is swept before then */
	struct filch__places places;
	struct filch__counters counters;
};

/* The calling thread's worker, or NULL. Never inlined: on a strand the answer changes
 * with each suspension. */
struct filch__worker *filch__worker_self(void);

/* The active strand of the calling thread, or NULL. ThreadSanitizer does
 * not see these reads, so that a task may make them without being ordered after what its
 * thread did before (fiber/apart.h). */
struct filch__strand *filch__strand_self(void);

/* Whether a join on the calling thread is to hear whether a worker is hungry. Not seen, as
 * above. */
bool filch__listens_self(void);

/* The calling thread's worker if that belongs to this pool, else NULL. */
struct filch__worker *filch__worker_of(struct filch_pool *pool);

/* Makes the calling thread this worker, or, with NULL, no worker. */
void filch__worker_be(struct filch__worker *w);

/* Ends the process with a message if a task has returned in the child of a fork, which has
 * no workers. */
void filch__check_not_child(void);

/* Between these two calls no signal handler touches the worker's strand. */
static inline void filch__enter(struct filch__worker *w)
{
	w->inside = 1;
	filch__signal_fence();
}

static inline void filch__leave(struct filch__worker *w)
{
	filch__signal_fence();
	w->inside = 0;
	filch__signal_fence();
	if (FILCH_UNLIKELY(w->noted))
		filch__answer_noted(w);
}

/* Shows thieves the deque of the worker's active strand, or NULL. Caller: the worker. */
static inline void filch__offer(struct filch__worker *w, struct filch__deque *d)
{
	/* S5 release: pairs with the acquire in filch__offered(); carries the deque. */
	store_rel(&w->offered, d);
}

/* Returns the deque that the worker offers, or NULL. Caller: any thread. */
static inline struct filch__deque *filch__offered(struct filch__worker *w)
{
	/* S5 acquire: pairs with the release in filch__offer(); carries the deque. */
	return load_acq(&w->offered);
}

#endif
