/* SPDX-License-Identifier: MIT */
/*
 * Channels, as channel.c and select.c know them. Senders and receivers wait in one list:
 * only a select that does both can be there as both at once, since of two that fit
 * together the second does not wait.
 */
#ifndef FILCH_TASK_CHANNEL_H
#define FILCH_TASK_CHANNEL_H

#include <errno.h>
#include <filch/channel.h>
#include <stdalign.h>

#include "sched/wait.h"

/* The kind of a waiter is an enum filch_way, or this once the channel is closed. Its data
 * is where the value is, or goes. */
#define FILCH__CLOSED 2u

struct filch_channel {
	struct filch__waiters waiters; /* its lock guards all the rest */
	size_t size, capacity;         /* constant */
	size_t count;                  /* values in it */
	size_t head;                   /* where the oldest is */
	bool closed;
	alignas(16) char values[];
};

/* Who has waited here, and is to be woken now. */
struct filch__partner {
	bool any;
	struct filch__wakeup wakeup;
};

/* Sends or receives if that can be done now. 0; -EPIPE; -EAGAIN: one would have to wait.
 * Caller: holds the lock, and wakes the partner when it has unlocked. */
int filch__channel_do(struct filch_channel *c, enum filch_way way, void *value,
                      struct filch__partner *partner);

/* The result of a wait that a channel has ended. */
static inline int filch__channel_result(const struct filch__waiter *x)
{
	return x->kind == FILCH__CLOSED ? -EPIPE : 0;
}

#endif
