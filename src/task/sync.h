/* SPDX-License-Identifier: MIT */
/*
 * Helpers that the sources behind filch/sync.h, filch/channel.h and filch/future.h share.
 */
#ifndef FILCH_TASK_SYNC_H
#define FILCH_TASK_SYNC_H

#include <assert.h>
#include <stdbool.h>

#include "base/clock.h"
#include "wait/wait.h"

/* Whether the deadline has passed. Callers ask only if they would have to wait, so that a
 * call with a deadline in the past is a try. */
static inline bool filch__is_past(uint64_t deadline)
{
	return deadline != FILCH_NEVER && filch__now_ns() >= deadline;
}

/* Waits in this list as `me`. Caller: holds the lock of the list. */
static inline int filch__wait_as(struct filch__waiters *list, void *me, uint32_t kind,
                                 uint64_t deadline, bool cancellable,
                                 struct filch__reason reason)
{
	struct filch__waiter x = {
		.list = list, .data = me, .kind = kind, .reason = reason};

	return filch__wait(&x, 1, deadline, cancellable);
}

/* ---- several waiters that are claimed under one hold of the lock ---- */

#define FILCH__WAKE_BATCH 16

struct filch__wakeups {
	uint32_t n;
	struct filch__wakeup one[FILCH__WAKE_BATCH];
};

static inline void filch__wake_several(struct filch__wakeups *ws)
{
	assert(ws->n <= FILCH__WAKE_BATCH);
	for (uint32_t i = 0; i < ws->n; i++)
		filch__wakeup(&ws->one[i]);
	ws->n = 0;
}

/* Returns the place for the next wakeup. If there are many, the first of them are woken
 * with the lock held: locking again afterwards would be too late, since a strand that is
 * awake may free the object. Caller: sees one more waiter in the list. That waiter cannot
 * leave without the lock, so the object stays until the lock is released. */
static inline struct filch__wakeup *filch__next_wakeup(struct filch__wakeups *ws)
{
	if (ws->n == FILCH__WAKE_BATCH)
		filch__wake_several(ws);
	return &ws->one[ws->n];
}

#endif
