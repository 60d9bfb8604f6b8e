/* SPDX-License-Identifier: MIT */
/*
 * Waiting for what other strands, threads or the system do: the one way in which a mutex,
 * a channel, a future, a descriptor is waited for. See src/sched/README.md, "Waits".
 *
 *   the waiter                                 who ends the wait
 *     filch__lock(&list->lock);                  filch__lock(&list->lock);
 *     what it waits for is there? unlock, done   makes it so
 *     filch__wait(...)                           x = filch__first(list)
 *       links itself, stops, and unlocks         filch__claim(x, &wakeup)? 
 *       on another stack                           hands over by x->data
 *                                                filch__unlock(&list->lock);
 *                                                filch__wakeup(&wakeup);
 */
#ifndef FILCH_SCHED_WAIT_H
#define FILCH_SCHED_WAIT_H

#include <filch/time.h>
#include <filch/wait.h>

#include "sched/lock.h"
#include "sched/timer.h"

struct filch_group;

/* A place in one list. In the frame of who waits. */
struct filch__waiter {
	struct filch__waiters *list;
	void *data;    /* the list's own: where to put a value, what is wanted, ... */
	uint32_t kind; /* the list's own */
	struct filch__reason reason; /* for people; the first one's counts */
	/* The rest is filled in by filch__wait(). */
	uint32_t index;
	bool linked;
	struct filch__wait *wait;
	struct filch__waiter *next, *prev;
};

/* A wait, in one or several lists, of a strand or of a thread outside. */
struct filch__wait {
	_Atomic(uint32_t) claimed; /* 0; else 1 + the index of the waiter that ended it */
	struct filch_pool *pool;   /* NULL: a thread, which sleeps on `claimed` */
	struct filch__ticket ticket;
	struct filch__waiter *waiter;
	uint32_t waiters;
	bool timed;   /* it has a deadline */
	bool refused; /* the group was cancelled before it began */
	struct filch__timer timer;
	struct filch_group *group; /* that may cancel it, or NULL */
	bool joined;               /* the group knows of it; under its lock, as these: */
	struct filch__wait *next_in_group, **link_in_group;
};

/* Who is to be woken, when the list's lock is free again. */
struct filch__wakeup {
	struct filch_pool *pool; /* NULL: a thread */
	struct filch__ticket ticket;
	_Atomic(uint32_t) *thread;
	bool guest; /* the caller is no worker of the pool */
};

/* Waits until one of the waiters (list, data and kind set) is claimed, and returns its
 * index. A deadline of FILCH_NEVER is none.
 * Caller: holds the locks of all the lists, see filch__lists_lock(). When it returns, no
 * lock is held and no waiter linked.
 * Errors: -ETIMEDOUT; if cancellable: -ECANCELED, the group or future of the caller's
 * task is cancelled. */
int filch__wait(struct filch__waiter *waiter, uint32_t n, uint64_t deadline,
                bool cancellable);

/* Locks the lists of n waiters, which are sorted by the address of their lists. */
void filch__lists_lock(struct filch__waiter *waiter, uint32_t n);
void filch__lists_unlock(struct filch__waiter *waiter, uint32_t n);

/* For those who end waits. Caller: holds the list's lock. */

/* Takes a waiter out of its list. False if its wait was ended by another list already:
 * then nothing may be handed over to it. */
bool filch__claim(struct filch__waiter *x, struct filch__wakeup *wakeup);

/* Wakes who was claimed, once. Caller: better holds no list's lock any more. */
void filch__wakeup(const struct filch__wakeup *w);

/* Claims the first waiter that can be claimed. NULL if there is none. */
static inline struct filch__waiter *filch__claim_first(struct filch__waiters *list,
                                                       struct filch__wakeup *wakeup)
{
	struct filch__waiter *x;

	while ((x = list->first))
		if (filch__claim(x, wakeup))
			return x;
	return NULL;
}

/* Claims and wakes all that wait now. The lock is held when it is called, and free when it
 * returns. */
void filch__wake_all(struct filch__waiters *list);

/* Who the caller is: its strand or thread. For owners of locks. */
void *filch__me(void);

#endif
