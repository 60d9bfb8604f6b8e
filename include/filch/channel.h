/* SPDX-License-Identifier: MIT */
/*
 * Bounded channels: values of one size, in order, from any number of senders to any
 * number of receivers, strands or threads outside.
 *
 *   struct filch_channel *c = filch_channel_create(sizeof(struct job), 64);
 *
 *   while (filch_channel_recv(c, &job) == 0) ...        until it is closed and empty
 *   filch_channel_send(c, &job);                        waits while it is full
 *   filch_channel_close(c);
 *
 * A channel of capacity 0 hands each value over: a send returns when somebody has
 * received it.
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

/* For up to `capacity` values of `size` bytes; a size of 0 is fine, and values may be
 * NULL then. NULL if there is no memory, or the sizes are beyond it. */
struct filch_channel *filch_channel_create(size_t size, size_t capacity);

/* When all calls with it have returned. What is left in it is dropped.
 * Errors: -EBUSY, and nothing is changed, while somebody waits in it. NULL is fine. */
int filch_channel_destroy(struct filch_channel *c);

/* Copy a value in or out.
 * Errors: -EPIPE: closed (a receive still gets what is left in it); -EAGAIN: a try, and
 * it is full, or empty; -ETIMEDOUT; -ECANCELED: the caller's group or future is. */
int filch_channel_send(struct filch_channel *c, const void *value);
int filch_channel_send_until(struct filch_channel *c, const void *value,
                             uint64_t deadline);
int filch_channel_try_send(struct filch_channel *c, const void *value);
int filch_channel_recv(struct filch_channel *c, void *value);
int filch_channel_recv_until(struct filch_channel *c, void *value, uint64_t deadline);
int filch_channel_try_recv(struct filch_channel *c, void *value);

/* No more sends: those that wait end with -EPIPE, receivers when it is empty.
 * Errors: -EPIPE: it was closed already. */
int filch_channel_close(struct filch_channel *c);

size_t filch_channel_size(const struct filch_channel *c); /* values in it now */
size_t filch_channel_capacity(const struct filch_channel *c);

enum filch_way { FILCH_RECV, FILCH_SEND };

/* One of several things to do. */
struct filch_case {
	struct filch_channel *channel; /* NULL: never ready */
	enum filch_way way;
	void *value; /* received into, or sent from (and not changed) */
	int result;  /* of the one that was done: 0, or -EPIPE */
};

/* Does one of n cases, as soon as one can be done, and returns which. Of several that can
 * be done one is chosen by chance. A channel may occur more than once. A closed channel
 * is ready; its result says -EPIPE.
 * Errors: -ETIMEDOUT, -ECANCELED, -EAGAIN (a try), -EINVAL (more than 64 cases),
 * -EDEADLK (no case has a channel, and there is no deadline). */
int filch_select(struct filch_case *cases, size_t n);
int filch_select_until(struct filch_case *cases, size_t n, uint64_t deadline);
int filch_try_select(struct filch_case *cases, size_t n);

#ifdef __cplusplus
}
#endif

#endif
