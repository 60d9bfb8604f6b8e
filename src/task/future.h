/* SPDX-License-Identifier: MIT */
/*
 * Futures, as future.c and await.c know them. See README.md.
 *
 * A future is one block of memory: the record that its strand begins with, the task with
 * its arguments and later its result, the group that cancels it, and the list of strands
 * that wait for it. Its strand holds one reference, the program that started it another,
 * and a deadline that is set a third.
 *
 * A future that is not done has a hold of its pool (sched/hold.h). So the pool exists as long as a
 * thread holds the lock of such a future.
 */
#ifndef FILCH_TASK_FUTURE_H
#define FILCH_TASK_FUTURE_H

#include <filch/future.h>
#include <filch/group.h>
#include <stdalign.h>

#include "sched/hold.h"
#include "sched/timer.h"
#include "strand/loose.h"
#include "strand/root.h"

struct filch_future {
	alignas(16) _Atomic(uint32_t) references;
	struct filch__waiters waiters; /* its lock guards `done` and `deadline` */
	bool done;                     /* once set it stays so; the result may be read */
	bool dropped;      /* cancelled before it began; written before `done` */
	uint64_t deadline; /* FILCH_NEVER: none */
	/* The rest is constant, or used by its strand alone, unless it says otherwise. */
	struct filch_pool *pool;       /* exists until the future is done */
	struct filch__timer timer;     /* under the lock of the pool's timers */
	struct filch_future *awaiting; /* which its strand awaits; under edges_lock */
	struct filch_group group;
	struct filch__root root;
	struct filch__record head;   /* the record that its strand is begun for */
	struct filch__record *inner; /* as struct filch__outer; right behind the future */
	size_t size;                 /* of the inner record */
};
_Static_assert(offsetof(struct filch_future, inner) -
                               offsetof(struct filch_future, head) ==
                       offsetof(struct filch__outer, inner),
               "the head and the inner record lie as in struct filch__outer");

/* The future that the calling strand was begun for, or NULL. */
struct filch_future *filch__future_self(void);

/* Asserts the invariants of a future: README.md, 8 and 9. Caller: holds its lock. */
void filch__future_check(const struct filch_future *f);

#endif
