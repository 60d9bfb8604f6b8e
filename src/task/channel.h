/* SPDX-License-Identifier: MIT */
/*
 * Channels, as channel.c and select.c know them. Senders and receivers wait in one list.
 * Both kinds are in it at once only if a select both sends and receives: otherwise a
 * sender and a receiver fit together, and the one that comes second does not wait.
 */
#ifndef FILCH_TASK_CHANNEL_H
#define FILCH_TASK_CHANNEL_H

#include <errno.h>
#include <filch/channel.h>
#include <stdalign.h>

#include "wait/wait.h"

/* The kind of a waiter is an enum filch_way, or this once the channel is closed. Its data
 * points to the value, or to the place for it. */
#define FILCH__CLOSED 2u

struct filch_channel {
	struct filch__waiters waiters; /* first; its lock guards all the rest */
	size_t size, capacity;         /* constant */
	size_t count;                  /* values in it */
	size_t head;                   /* the place of the oldest value */
	bool closed;
	alignas(16) char values[];
};

/* The strand or thread that waited for the other end, and is to be woken now. */
struct filch__partner {
	bool any;
	struct filch__wakeup wakeup;
};

/* Sends or receives if that can be done now. Returns 0, or -EPIPE, or -EAGAIN if the
 * caller would have to wait. Caller: holds the lock, and wakes the partner after
 * releasing it. */
int filch__channel_do(struct filch_channel *c, enum filch_way way, void *value,
                      struct filch__partner *partner);

/* The result of a wait that a channel has ended. */
static inline int filch__channel_result(const struct filch__waiter *x)
{
	return x->kind == FILCH__CLOSED ? -EPIPE : 0;
}

/* Asserts the invariants of a channel: README.md, 6. Caller: holds its lock. */
void filch__channel_check(const struct filch_channel *c);

#endif
