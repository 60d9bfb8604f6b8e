/* SPDX-License-Identifier: MIT */
/*
 * The lookout: the one worker that waits for events outside the pool on behalf of all:
 * timers, and what a driver (src/io) knows of. An idle worker sleeps there; while all are
 * busy, whichever worker comes through the scheduler looks. See README.md, "Lookout".
 */
#ifndef FILCH_SCHED_LOOKOUT_H
#define FILCH_SCHED_LOOKOUT_H

#include "sched/seat.h"

/* A source of events: first in a struct of its own. */
struct filch__driver {
	/* Waits for events, for `ns` nanoseconds at most (0: has a look; UINT64_MAX: without
	 * a limit), and keeps them. One worker at a time. */
	void (*wait)(struct filch__driver *d, uint64_t ns);
	/* Wakes the strands that the events concern. The same worker, right after. */
	void (*serve)(struct filch__driver *d);
	/* Ends a wait() that is under way or about to begin. Any thread. */
	void (*kick)(struct filch__driver *d);
	/* Frees it. Called when the workers are gone. */
	void (*destroy)(struct filch__driver *d);
};

/* The pool's driver, or NULL. */
struct filch__driver *filch__driver(struct filch_pool *pool);

/* Gives the pool its driver, once. Returns the driver that it has then: another one if
 * another thread was faster. Any thread. */
struct filch__driver *filch__driver_set(struct filch_pool *pool, struct filch__driver *d);

/* Whether there is something to look out for, and no worker that does. */
static inline bool filch__unwatched(struct filch_pool *p)
{
	return (load_rlx(&p->driver) ||                         /* a look only */
	        load_rlx(&p->timers.earliest) != UINT64_MAX) && /* a look only */
	       !load_rlx(&p->lookout); /* a look, or after a fence */
}

/* Fires the timers that are due and has the driver look, unless another worker does.
 * Caller: in the scheduler. */
void filch__look(struct filch__seat *me);

/* Makes an idle worker the lookout, if there is anything to look out for and no other
 * lookout. Returns whether it is. Caller: announced. */
bool filch__lookout_take(struct filch__seat *me);

/* Sleeps there until something happens, the worker is called, or for `most` nanoseconds;
 * takes the announcement back. */
void filch__lookout_sleep(struct filch__seat *me, uint64_t most);

/* Gives the role up. Caller: then calls filch__become_busy(), which sees to it that another
 * worker takes the role. */
void filch__lookout_drop(struct filch__seat *me);

/* The lot's `kick`. */
void filch__lookout_kick(struct filch__lot *lot);

/* A timer was set that is the next of all: has the lookout notice, or calls a worker to be
 * it. Any thread. */
void filch__stir(struct filch_pool *pool);

/* The same for a strand's timer. The worker that runs the strand stirs when it next comes
 * through the scheduler, unless it becomes the lookout itself. Caller: that worker. */
void filch__stir_later(struct filch__worker *w);

/* Stirs for timers that strands of this worker have set. */
static inline void filch__stir_own(struct filch__seat *me)
{
	if (FILCH_UNLIKELY(me->watch.stirred)) {
		me->watch.stirred = false;
		filch__stir(me->worker.pool);
	}
}

#endif
