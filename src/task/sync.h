/* SPDX-License-Identifier: MIT */
/*
 * What the files of filch/sync.h and filch/channel.h share.
 */
#ifndef FILCH_TASK_SYNC_H
#define FILCH_TASK_SYNC_H

#include <errno.h>
#include <filch/sync.h>

#include "base/clock.h"
#include "sched/wait.h"

/* There is no time to wait. Who asks has looked before, so this makes a try of it. */
static inline bool filch__is_past(uint64_t deadline)
{
	return deadline != FILCH_NEVER && filch__now_ns() >= deadline;
}

/* Waits in this list as `me`, who holds its lock. */
static inline int filch__wait_as(struct filch__waiters *list, void *me, uint32_t kind,
                                 uint64_t deadline, bool cancellable,
                                 struct filch__reason reason)
{
	struct filch__waiter x = {
		.list = list, .data = me, .kind = kind, .reason = reason};

	return filch__wait(&x, 1, deadline, cancellable);
}

/* ---- several that are claimed under one hold of the lock ---- */

#define FILCH__WAKE_BATCH 16

struct filch__wakeups {
	uint32_t n;
	struct filch__wakeup one[FILCH__WAKE_BATCH];
};

static inline void filch__wake_several(struct filch__wakeups *ws)
{
	for (uint32_t i = 0; i < ws->n; i++)
		filch__wakeup(&ws->one[i]);
	ws->n = 0;
}

/* Where the next one goes. If there are many, the first of them are woken with the lock
 * held: to lock again is too late, since those who are awake may free it. Caller: sees
 * one more in the list, who cannot leave it without the lock, so that it stays. */
static inline struct filch__wakeup *filch__next_wakeup(struct filch__wakeups *ws)
{
	if (ws->n == FILCH__WAKE_BATCH)
		filch__wake_several(ws);
	return &ws->one[ws->n];
}

/* ---- mutex ---- */

/* Hands it to the next one, or frees it. True if somebody is to be woken. `call`: for the
 * message if the caller does not hold it. */
bool filch__mutex_pass(struct filch_mutex *m, const char *call,
                       struct filch__wakeup *wakeup);

#endif
