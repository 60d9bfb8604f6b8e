/* SPDX-License-Identifier: MIT */
/*
 * A channel is a ring of values under a lock. A sender gives its value to a receiver that
 * waits; a receiver that makes room fills it with the value of a sender that waits. So
 * the ring is full while senders wait, and empty while receivers wait.
 */
#include "task/channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/cpu.h"
#include "task/sync.h"

#define WALK 8 /* the waiters that the check visits */

void filch__channel_check(const struct filch_channel *c)
{
	const struct filch__waiter *x = filch__first_waiter(&c->waiters);

	assert(c->count <= c->capacity);
	assert(c->head < c->capacity || !c->head);
	assert(!x || !c->closed); /* the close has ended all waits */
	for (int i = 0; x && i < WALK; i++, x = filch__next_waiter(x)) {
		assert(x->kind != FILCH_SEND || c->count == c->capacity);
		assert(x->kind != FILCH_RECV || !c->count);
		assert(x->kind == FILCH_SEND || x->kind == FILCH_RECV);
	}
}

/* ---- values ---- */

static inline void copy(const struct filch_channel *c, void *to, const void *from)
{
	if (FILCH_LIKELY(c->size == 8))
		memcpy(to, from, 8); /* compiled without a call */
	else if (c->size)
		memcpy(to, from, c->size);
}

/* The place of the i-th value, counted from the oldest. */
static inline char *slot(struct filch_channel *c, size_t i)
{
	i += c->head;
	return c->values + (i < c->capacity ? i : i - c->capacity) * c->size;
}

static inline void push(struct filch_channel *c, const void *value)
{
	assert(c->count < c->capacity);
	copy(c, slot(c, c->count), value);
	c->count++;
}

static inline void pop(struct filch_channel *c, void *value)
{
	assert(c->count);
	copy(c, value, slot(c, 0));
	c->count--;
	if (++c->head == c->capacity)
		c->head = 0;
}

/* ---- sending and receiving, under the lock ---- */

/* Claims the first waiter that waits to do this. */
static inline struct filch__waiter *claim(struct filch_channel *c, enum filch_way way,
                                          struct filch__partner *partner)
{
	struct filch__waiter *x, *next;

	for (x = filch__first_waiter(&c->waiters); FILCH_UNLIKELY(x != NULL); x = next) {
		next = filch__next_waiter(x);
		if (x->kind == way && filch__claim(x, &partner->wakeup)) {
			partner->any = true;
			return x;
		}
	}
	return NULL;
}

static inline int send_now(struct filch_channel *c, const void *value,
                           struct filch__partner *partner)
{
	struct filch__waiter *x;

	if (FILCH_UNLIKELY(c->closed))
		return -EPIPE;
	if ((x = claim(c, FILCH_RECV, partner)))
		copy(c, x->data, value);
	else if (c->count < c->capacity)
		push(c, value);
	else
		return -EAGAIN;
	return 0;
}

static inline int recv_now(struct filch_channel *c, void *value,
                           struct filch__partner *partner)
{
	struct filch__waiter *x;

	if (FILCH_LIKELY(c->count)) {
		pop(c, value);
		if ((x = claim(c, FILCH_SEND, partner)))
			push(c, x->data);
		return 0;
	}
	if ((x = claim(c, FILCH_SEND, partner))) {
		copy(c, value, x->data);
		return 0;
	}
	return c->closed ? -EPIPE : -EAGAIN;
}

int filch__channel_do(struct filch_channel *c, enum filch_way way, void *value,
                      struct filch__partner *partner)
{
	FILCH__CHECK(filch__channel_check(c));
	return way == FILCH_SEND ? send_now(c, value, partner)
	                         : recv_now(c, value, partner);
}

/* ---- sending and receiving ---- */

static inline void leave(struct filch_channel *c, const struct filch__partner *partner)
{
	FILCH__CHECK(filch__channel_check(c));
	filch__unlock(&c->waiters.lock);
	if (FILCH_UNLIKELY(partner->any))
		filch__wakeup(&partner->wakeup);
}

static FILCH_NOINLINE int wait_in(struct filch_channel *c, enum filch_way way,
                                  void *value, uint64_t deadline)
{
	struct filch__waiter x = {.list = &c->waiters,
	                          .data = value,
	                          .kind = way,
	                          .reason = FILCH__BECAUSE(channel)};
	int result;

	FILCH__CHECK(filch__channel_check(c));
	result = filch__wait(&x, 1, deadline, true);
	return result < 0 ? result : filch__channel_result(&x);
}

int filch_channel_send_until(struct filch_channel *c, const void *value,
                             uint64_t deadline)
{
	struct filch__partner partner;
	int result;

	partner.any = false;
	filch__lock(&c->waiters.lock);
	result = send_now(c, value, &partner);
	if (FILCH_UNLIKELY(result == -EAGAIN))
		return wait_in(c, FILCH_SEND, (void *)value, deadline);
	leave(c, &partner);
	return result;
}

int filch_channel_recv_until(struct filch_channel *c, void *value, uint64_t deadline)
{
	struct filch__partner partner;
	int result;

	partner.any = false;
	filch__lock(&c->waiters.lock);
	result = recv_now(c, value, &partner);
	if (FILCH_UNLIKELY(result == -EAGAIN))
		return wait_in(c, FILCH_RECV, value, deadline);
	leave(c, &partner);
	return result;
}

int filch_channel_send(struct filch_channel *c, const void *value)
{
	return filch_channel_send_until(c, value, FILCH_NEVER);
}

int filch_channel_recv(struct filch_channel *c, void *value)
{
	return filch_channel_recv_until(c, value, FILCH_NEVER);
}

static int try_it(struct filch_channel *c, enum filch_way way, void *value)
{
	struct filch__partner partner;
	int result;

	partner.any = false;
	filch__lock(&c->waiters.lock);
	result = filch__channel_do(c, way, value, &partner);
	leave(c, &partner);
	return result;
}

int filch_channel_try_send(struct filch_channel *c, const void *value)
{
	return try_it(c, FILCH_SEND, (void *)value);
}

int filch_channel_try_recv(struct filch_channel *c, void *value)
{
	return try_it(c, FILCH_RECV, value);
}

/* ---- life cycle ---- */

struct filch_channel *filch_channel_create(size_t size, size_t capacity)
{
	const size_t most = PTRDIFF_MAX - sizeof(struct filch_channel);
	struct filch_channel *c;

	if (size && capacity > most / size)
		return NULL;
	c = malloc(sizeof *c + size * capacity);
	if (c)
		*c = (struct filch_channel){.size = size, .capacity = capacity};
	return c;
}

int filch_channel_destroy(struct filch_channel *c)
{
	bool busy;

	if (!c)
		return 0;
	filch__lock(&c->waiters.lock);
	busy = filch__first_waiter(&c->waiters);
	filch__unlock(&c->waiters.lock);
	if (busy)
		return -EBUSY;
	free(c);
	return 0;
}

int filch_channel_close(struct filch_channel *c)
{
	filch__lock(&c->waiters.lock);
	if (c->closed) {
		filch__unlock(&c->waiters.lock);
		return -EPIPE;
	}
	FILCH__CHECK(filch__channel_check(c));
	c->closed = true;
	for (struct filch__waiter *x = filch__first_waiter(&c->waiters); x;
	     x = filch__next_waiter(x))
		x->kind = FILCH__CLOSED;
	filch__wake_all(&c->waiters);
	return 0;
}

size_t filch_channel_size(const struct filch_channel *c)
{
	struct filch__lock *lock = (struct filch__lock *)&c->waiters.lock;
	size_t count;

	filch__lock(lock);
	count = c->count;
	filch__unlock(lock);
	return count;
}

size_t filch_channel_capacity(const struct filch_channel *c)
{
	return c->capacity;
}
