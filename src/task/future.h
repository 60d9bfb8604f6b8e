/* SPDX-License-Identifier: MIT */
/*
 * Futures, as future.c and await.c know them. See README.md.
 *
 * A future is one block: what its strand is started by, the task with its arguments and
 * later its result, the group that cancels it, and who waits for it. Its strand holds one
 * reference, who has started it another, a deadline that is set a third.
 *
 * A future that is not done is one of its pool's `live`, and so the pool is there as long
 * as somebody holds the lock of such a one.
 */
#ifndef FILCH_TASK_FUTURE_H
#define FILCH_TASK_FUTURE_H

#include <filch/future.h>
#include <filch/group.h>
#include <stdalign.h>

#include "sched/loose.h"
#include "sched/run.h"
#include "sched/timer.h"

struct filch_future {
	alignas(16) _Atomic(uint32_t) references;
	struct filch__waiters waiters; /* and under its lock: */
	bool done;                     /* stays so; then the result may be read */
	bool dropped;                  /* cancelled before it began */
	uint64_t deadline;             /* FILCH_NEVER: none */
	/* The rest is constant, but for what is used by its strand alone. */
	struct filch_pool *pool;       /* there until it is done */
	struct filch__timer timer;     /* under the lock of the pool's timers */
	struct filch_future *awaiting; /* its strand does; under edges_lock */
	struct filch_group group;
	struct filch__root root;
	struct filch__record head;   /* what its strand is begun for */
	struct filch__record *inner; /* as struct filch__outer; right behind the future */
	size_t size;                 /* of the inner record */
};
_Static_assert(offsetof(struct filch_future, inner) -
                               offsetof(struct filch_future, head) ==
                       offsetof(struct filch__outer, inner),
               "begins like it");

/* The future that the calling strand was begun for, or NULL. */
struct filch_future *filch__future_self(void);

#endif
