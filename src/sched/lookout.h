/* SPDX-License-Identifier: MIT */
/*
 * The lookout: the one worker that waits for what happens outside, on behalf of all:
 * timers, and what a driver (src/io) knows of. An idle worker sleeps there; when all are
 * busy, whoever comes through the scheduler looks. See src/sched/README.md, "Lookout".
 */
#ifndef FILCH_SCHED_LOOKOUT_H
#define FILCH_SCHED_LOOKOUT_H

#include "sched/worker.h"

/* A source of events: first in a struct of its own. */
struct filch__driver {
	/* Waits for something to happen, for `ns` nanoseconds at most (0: has a look;
	 * UINT64_MAX: for good), and keeps what has. By one worker at a time. */
	void (*wait)(struct filch__driver *d, uint64_t ns);
	/* Wakes whom that concerns (filch__wakeup()). The same worker, right after. */
	void (*serve)(struct filch__driver *d);
	/* Ends a wait() that is under way or about to begin. Any thread. */
	void (*kick)(struct filch__driver *d);
	/* When the workers are gone. */
	void (*destroy)(struct filch__driver *d);
};

/* The pool's driver, or NULL. */
struct filch__driver *filch__driver(struct filch_pool *pool);

/* Gives the pool its driver, once. Returns the one that it has then: another one if
 * somebody was faster. Any thread. */
struct filch__driver *filch__driver_set(struct filch_pool *pool, struct filch__driver *d);

/* Fires what is due and has the driver look, unless somebody is at it. Caller: in the
 * scheduler. */
void filch__look(struct filch__worker *w);

/* There is something to look out for, and nobody who does. */
static inline bool filch__unwatched(struct filch_pool *p)
{
	return (load_rlx(&p->driver) ||                     /* a look only */
	        load_rlx(&p->timers.next) != UINT64_MAX) && /* a look only */
	       !load_rlx(&p->lookout);                      /* a look, or after a fence */
}

/* An idle worker on the lookout. To be that, if there is anything to look out for and
 * nobody else is. Caller: announced. */
bool filch__lookout_take(struct filch__worker *w);

/* Sleeps there until something happens, the worker is called, or for so many nanoseconds;
 * the announcement is taken back. */
void filch__lookout_sleep(struct filch__worker *w, uint64_t most);

/* It is not, any more. Caller: goes on to filch__become_busy(), which sees to it that
 * somebody is. */
void filch__lookout_drop(struct filch__worker *w);

/* The lot's `kick`. */
void filch__lookout_kick(struct filch__lot *lot);

/* A timer was set that is the next of all: has whoever is on the lookout notice, or calls
 * somebody to be it. Any thread. */
void filch__stir(struct filch_pool *pool);

/* The same for timers of strands that this worker has run; if it is not going to be on the
 * lookout itself. */
static inline void filch__stir_own(struct filch__worker *w)
{
	if (FILCH_UNLIKELY(w->stirred)) {
		w->stirred = false;
		filch__stir(w->pool);
	}
}

#endif
