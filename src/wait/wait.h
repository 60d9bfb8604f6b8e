/* SPDX-License-Identifier: MIT */
/*
 * Waiting for what other strands, threads or the system do: the one way to wait for a
 * mutex, a channel, a future or a descriptor. See README.md.
 *
 *   the waiting strand                         the thread that ends the wait
 *     filch__lock(&list->lock);                  filch__lock(&list->lock);
 *     is it there already? unlock, done          makes it so
 *     filch__wait(...)                           x = filch__claim_first(list, &wakeup);
 *       links itself, stops, and unlocks         if x: hands over through x->data
 *       on another stack                         filch__unlock(&list->lock);
 *                                                if x: filch__wakeup(&wakeup);
 */
#ifndef FILCH_WAIT_WAIT_H
#define FILCH_WAIT_WAIT_H

#include <filch/detail/wait.h>
#include <filch/time.h>

#include "base/list.h"
#include "base/lock.h"
#include "sched/timer.h"

struct filch_group;

/* A place in one list. It lies in the frame of the waiting strand. */
struct filch__waiter {
	struct filch__link link; /* filch__wait() writes it */
	struct filch__waiters *list;
	void *data;    /* the list's own: where to put a value, what is wanted, ... */
	uint32_t kind; /* the list's own */
	struct filch__reason reason; /* for people; that of the first place counts */
	/* The rest is filled in by filch__wait(). */
	uint32_t index;
	bool linked;
	struct filch__wait *wait;
};

/* A wait, in one or several lists, of a strand or of a thread outside. */
struct filch__wait {
	_Atomic(uint32_t) claimed; /* 0; else 1 + the index of the waiter that ended it */
	struct filch_pool *pool;   /* of the strand; NULL: a thread sleeps on `claimed` */
	/* The worker that the thread is meanwhile (sched/lend.h), or NULL. */
	struct filch__worker *worker;
	struct filch__ticket ticket;
	struct filch__waiter *waiter;
	uint32_t waiters;
	bool timed;   /* it has a deadline */
	bool refused; /* the group was cancelled before the wait began */
	struct filch__timer timer;
	struct filch_group *group;     /* the group that may cancel it, or NULL */
	struct filch__link group_link; /* cancel.c: under the group's lock, like this: */
	bool joined;                   /* the group knows of the wait */
};

/* A strand or thread that is to be woken after the list's lock was released. */
struct filch__wakeup {
	struct filch_pool *pool; /* NULL: a thread outside */
	struct filch__ticket ticket;
	_Atomic(uint32_t) *thread;
	struct filch__worker *worker; /* that the thread is, or NULL */
	struct filch_pool *used; /* the caller, no worker there, uses it until then */
};

/* ---- the waiting side ---- */

/* Waits until one of the waiters (list, data and kind set) is claimed, and returns its
 * index. A deadline of FILCH_NEVER is none.
 * Caller: holds the locks of all the lists, see filch__lists_lock(). When this returns,
 * no lock is held and no waiter linked.
 * Errors: -ETIMEDOUT; if cancellable: -ECANCELED, the group or future of the caller's
 * task is cancelled. */
int filch__wait(struct filch__waiter *waiter, uint32_t n, uint64_t deadline,
                bool cancellable);

/* Does the same for something that this pool does: a thread outside is a worker of the pool
 * meanwhile, if there is no deadline and the pool has a seat for it. Caller: also knows of
 * a task of the pool that runs or waits, as long as it holds the locks. */
int filch__wait_for_pool(struct filch_pool *pool, struct filch__waiter *waiter,
                         uint32_t n, uint64_t deadline, bool cancellable);

/* Locks the lists of n waiters, which are sorted by the address of their lists. */
void filch__lists_lock(struct filch__waiter *waiter, uint32_t n);
void filch__lists_unlock(struct filch__waiter *waiter, uint32_t n);

/* The caller's strand or thread, as the owner of a lock. */
void *filch__me(void);

/* ---- the other side ---- */

/* The first waiter, the last one, and the one behind x; NULL if there is none. Caller of
 * these and of the next two: holds the list's lock. */
static inline struct filch__waiter *filch__first_waiter(const struct filch__waiters *list)
{
	return FILCH__HOLDER(list->list.first, struct filch__waiter, link);
}

static inline struct filch__waiter *filch__last_waiter(const struct filch__waiters *list)
{
	return FILCH__HOLDER(list->list.last, struct filch__waiter, link);
}

static inline struct filch__waiter *filch__next_waiter(const struct filch__waiter *x)
{
	return FILCH__HOLDER(x->link.next, struct filch__waiter, link);
}

/* Takes a waiter out of its list. Returns false if its wait was ended by another list
 * already: then nothing may be handed over to it. */
bool filch__claim(struct filch__waiter *x, struct filch__wakeup *wakeup);

/* Claims the first waiter that can be claimed. Returns NULL if there is none. */
static inline struct filch__waiter *filch__claim_first(struct filch__waiters *list,
                                                       struct filch__wakeup *wakeup)
{
	struct filch__waiter *x;

	while ((x = filch__first_waiter(list)))
		if (filch__claim(x, wakeup))
			return x;
	return NULL;
}

/* Wakes the claimed waiter, once. Call it after releasing the list's lock. */
void filch__wakeup(const struct filch__wakeup *w);

/* Claims and wakes all waiters of the list. Caller: holds the list's lock, which this
 * releases. */
void filch__wake_all(struct filch__waiters *list);

/* Asserts the invariants of a list. Caller: holds its lock. */
void filch__waiters_check(const struct filch__waiters *list);

#endif
