/* SPDX-License-Identifier: MIT */
/*
 * Bounded channels: values of one size, in order, from any number of senders to any
 * number of receivers. Both may be strands, or threads outside the pool.
 *
 *   struct filch_channel *c = filch_channel_create(sizeof(struct job), 64);
 *
 *   while (filch_channel_recv(c, &job) == 0) ...        until it is closed and empty
 *   filch_channel_send(c, &job);                        waits while it is full
 *   filch_channel_close(c);
 *
 * A channel of capacity 0 hands each value over: a send returns when a receiver has taken
 * the value.
 */
#ifndef FILCH_CHANNEL_H
#define FILCH_CHANNEL_H

#include <filch/time.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_channel;

/* Creates a channel for up to `capacity` values of `size` bytes. The size may be 0;
 * pointers to values may then be NULL. Returns NULL if there is not enough memory. */
struct filch_channel *filch_channel_create(size_t size, size_t capacity);

/* Destroys a channel; NULL is allowed. Values left in it are dropped. Caller: all other
 * calls with the channel have returned.
 * Errors: -EBUSY, and nothing is changed, while a strand or thread waits on the
 * channel. */
int filch_channel_destroy(struct filch_channel *c);

/* Copy a value into the channel or out of it.
 * Errors: -EPIPE: the channel is closed (a receive still gets the values left in it);
 * -EAGAIN (a try): the channel is full, or, for a receive, empty; -ETIMEDOUT; -ECANCELED:
 * the caller's group or future is cancelled. */
int filch_channel_send(struct filch_channel *c, const void *value);
int filch_channel_send_until(struct filch_channel *c, const void *value,
                             uint64_t deadline);
int filch_channel_try_send(struct filch_channel *c, const void *value);
int filch_channel_recv(struct filch_channel *c, void *value);
int filch_channel_recv_until(struct filch_channel *c, void *value, uint64_t deadline);
int filch_channel_try_recv(struct filch_channel *c, void *value);

/* Closes the channel. Waiting sends end with -EPIPE, and so do receives once the channel
 * is empty.
 * Errors: -EPIPE: the channel was closed already. */
int filch_channel_close(struct filch_channel *c);

/* Return the number of values in the channel now, and the number that it has room for. */
size_t filch_channel_size(const struct filch_channel *c);
size_t filch_channel_capacity(const struct filch_channel *c);

enum filch_way { FILCH_RECV, FILCH_SEND };

/* One of the operations that a select chooses from. */
struct filch_case {
	struct filch_channel *channel; /* NULL: this case is never ready */
	enum filch_way way;
	void *value; /* the place to receive into, or the value to send (not changed) */
	int result;  /* set in the case that was done: 0, or -EPIPE */
};

/* Does one of n cases as soon as one is ready, and returns its index. Of several that are
 * ready, one is chosen at random. A channel may occur more than once. A closed channel is
 * ready; the result is -EPIPE unless a value is left to receive.
 * Errors: -ETIMEDOUT, -ECANCELED, -EAGAIN (a try), -EINVAL (more than 64 cases),
 * -EDEADLK (no case has a channel, and there is no deadline). */
int filch_select(struct filch_case *cases, size_t n);
int filch_select_until(struct filch_case *cases, size_t n, uint64_t deadline);
int filch_try_select(struct filch_case *cases, size_t n);

#ifdef __cplusplus
}
#endif

#endif
