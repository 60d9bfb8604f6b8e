/* SPDX-License-Identifier: MIT */
/*
 * The lookout: the one worker that waits on behalf of all for timers and for the events
 * that a driver (src/io) knows of.
 *
 * An event must neither wait until a busy worker looks nor interrupt one. So an idle
 * worker waits for events, in the driver, or on its parker if there are only timers. When
 * it has found something to run, it gives the role up and calls an idle worker, which
 * takes it. If all workers are busy, no worker is free to run what an event wakes; then
 * whichever worker comes through the scheduler looks, at most every 20 us. A worker that
 * gives the role up, and a thread that brings the first source, issue a fence and then
 * look for idle workers (P1). A worker that takes the role issues a fence as well, before
 * it reads when the next timer is due: a thread that sets one later sees the new lookout.
 *
 * Each row of workers has timers of its own, and a strand sets its timer in the row of
 * its worker. The lookout fires those of all rows. In a pool of several rows, busy workers
 * that come through the scheduler fire those of their own row, whether there is a lookout
 * or not, and those of another row if its workers are late.
 *
 * A strand that sets the next timer of its row does not stir the lookout at once: its
 * worker comes through the scheduler next, and often becomes the lookout. So the worker
 * remembers the timer (`stirred`). A word of the pool could be cleared by a lookout that
 * has not seen the timer, as a client of the model checker showed.
 */
#ifndef FILCH_SCHED_LOOKOUT_H
#define FILCH_SCHED_LOOKOUT_H

#include "sched/seat.h"

/* A source of events. It is the first member of the driver's own struct. */
struct filch__driver {
	/* Waits for events, for `ns` nanoseconds at most (0: only polls; UINT64_MAX:
	 * without a limit), and keeps them. Caller: one worker at a time. */
	void (*wait)(struct filch__driver *d, uint64_t ns);
	/* Wakes the strands that the events concern. Caller: the same worker, right
	 * after. */
	void (*serve)(struct filch__driver *d);
	/* Ends a wait() that is under way or about to begin. Caller: any thread. */
	void (*kick)(struct filch__driver *d);
	/* Frees the driver. Caller: the workers are gone. */
	void (*destroy)(struct filch__driver *d);
};

/* The pool's driver, or NULL. */
struct filch__driver *filch__driver(struct filch_pool *pool);

/* Gives the pool its driver, once. Returns the driver that the pool then has: another one
 * if another thread was faster. Caller: any thread. */
struct filch__driver *filch__driver_set(struct filch_pool *pool, struct filch__driver *d);

/* Returns the time before which no timer goes off. */
static inline uint64_t filch__next_timer(struct filch_pool *p)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = 0; i < p->rows; i++) {
		uint64_t t = load_rlx(&p->timers[i].earliest); /* a look, or by P1 */

		next = t < next ? t : next;
	}
	return next;
}

/* Returns true if there is something to look out for, and no worker does so. */
static inline bool filch__unwatched(struct filch_pool *p)
{
	return !load_rlx(&p->lookout) && /* a look, or after a fence */
	       (load_rlx(&p->driver) ||  /* a look only */
	        filch__next_timer(p) != UINT64_MAX);
}

/* Fires the timers that are due and polls the driver, unless another worker does so.
 * Caller: in the scheduler. */
void filch__look(struct filch__seat *me);

/* Makes an idle worker the lookout, if there is anything to look out for and no other
 * lookout. Returns whether it is the lookout now. Caller: the worker, after it has
 * announced that it will sleep. */
bool filch__lookout_take(struct filch__seat *me);

/* Sleeps as the lookout until something happens, the worker is called, or `most`
 * nanoseconds have passed; takes the announcement back. */
void filch__lookout_sleep(struct filch__seat *me, uint64_t most);

/* Gives the role up, if the worker has it. Caller: then calls filch__become_busy(), which
 * sees to it that another worker takes the role. */
void filch__lookout_drop(struct filch__seat *me);

/* Kicks the driver: the `kick` of the pool's lot. */
void filch__lookout_kick(struct filch__lot *lot);

/* Tells the lookout of a new timer that comes first in its row, or of a new driver; if
 * there is no lookout, calls a worker to become it. Caller: any thread. */
void filch__stir(struct filch_pool *pool);

/* Has the worker stir later, for a timer that its strand has set: when it next comes
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
