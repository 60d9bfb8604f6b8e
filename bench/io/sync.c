/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: synchronisation of strands; threads that do the same, for scale.
 */
#include <errno.h>
#include <filch/channel.h>
#include <filch/future.h>
#include <filch/sync.h>
#include <filch/task.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/io/run.h"

static double per(uint64_t ns, size_t n)
{
	return (double)ns / (double)n;
}

/* ---- nobody in the way ---- */

FILCH_STATIC_TASK(double, lock_alone, (size_t, n))
{
	struct filch_mutex m = FILCH_MUTEX_INIT;
	uint64_t began = filch__now_ns();

	for (size_t i = 0; i < n; i++) {
		filch_mutex_lock(&m);
		BENCH_BARRIER();
		filch_mutex_unlock(&m);
	}
	return per(filch__now_ns() - began, n);
}

bool io_mutex(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, lock_alone, run->size);
	return true;
}

bool io_mutex_thread(const struct rounds_run *run, double *out)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	uint64_t began = filch__now_ns();

	for (size_t i = 0; i < run->size; i++) {
		pthread_mutex_lock(&m);
		BENCH_BARRIER();
		pthread_mutex_unlock(&m);
	}
	out[0] = per(filch__now_ns() - began, run->size);
	return true;
}

FILCH_STATIC_TASK(double, event_alone, (size_t, n))
{
	struct filch_event e = FILCH_EVENT_INIT;
	uint64_t began = filch__now_ns();
	int wrong = 0;

	for (size_t i = 0; i < n; i++) {
		filch_event_set(&e);
		wrong |= filch_event_wait(&e);
		filch_event_reset(&e);
	}
	rounds_check(!wrong && !filch_event_is_set(&e));
	return per(filch__now_ns() - began, n);
}

bool io_event(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, event_alone, run->size);
	return true;
}

static struct filch_channel *channel_create(size_t capacity)
{
	struct filch_channel *c = filch_channel_create(sizeof(uint64_t), capacity);

	if (!c)
		rounds_fail("there is no memory for a channel");
	return c;
}

FILCH_STATIC_TASK(double, channel_alone, (size_t, n))
{
	struct filch_channel *c = channel_create(64);
	uint64_t began = filch__now_ns(), ns, wrong = 0;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = i;

		wrong |= (uint64_t)filch_channel_send(c, &v);
		v = 0;
		wrong |= (uint64_t)filch_channel_recv(c, &v);
		wrong |= v ^ i;
	}
	ns = filch__now_ns() - began;
	rounds_check(!wrong && !filch_channel_destroy(c));
	return per(ns, n);
}

bool io_channel(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, channel_alone, run->size);
	return true;
}

/* ---- there and back ---- */

struct table {
	struct filch_channel *there, *back;
};

FILCH_STATIC_TASK(uint64_t, pong, (struct table *, t))
{
	uint64_t v, n = 0;

	for (; !filch_channel_recv(t->there, &v); n++)
		if (filch_channel_send(t->back, &v))
			break;
	return n;
}

FILCH_STATIC_TASK(double, ping, (size_t, n))
{
	struct table t = {channel_create(1), channel_create(1)};
	struct filch_future *f = FILCH_GO(pong, &t);
	uint64_t began = filch__now_ns(), ns, v = 0;

	if (!f)
		rounds_fail("there is no memory for a future");
	for (uint64_t i = 1; i <= n; i++) {
		if (filch_channel_send(t.there, &i) || filch_channel_recv(t.back, &v) ||
		    v != i)
			rounds_check(false);
	}
	ns = filch__now_ns() - began;
	filch_channel_close(t.there);
	rounds_check(FILCH_AWAIT(pong, f) == n);
	filch_future_drop(f);
	rounds_check(!filch_channel_destroy(t.there) && !filch_channel_destroy(t.back));
	return per(ns, n);
}

bool io_pingpong_filch(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, ping, run->size);
	return true;
}

struct pipes {
	int there[2], back[2];
};

static void *pong_main(void *arg)
{
	struct pipes *p = arg;
	uint64_t v;

	while (read(p->there[0], &v, sizeof v) == sizeof v)
		if (write(p->back[1], &v, sizeof v) != sizeof v)
			break;
	return NULL;
}

bool io_pingpong_thread(const struct rounds_run *run, double *out)
{
	const size_t n = run->size / 20;
	struct pipes p;
	pthread_t other;
	uint64_t began, v = 0;

	if (pipe(p.there) || pipe(p.back))
		rounds_fail_errno("no pipe", errno);
	other = io_thread(pong_main, &p);
	began = filch__now_ns();
	for (uint64_t i = 1; i <= n; i++)
		if (write(p.there[1], &i, sizeof i) != sizeof i ||
		    read(p.back[0], &v, sizeof v) != sizeof v || v != i)
			rounds_check(false);
	out[0] = per(filch__now_ns() - began, n);
	close(p.there[1]);
	pthread_join(other, NULL);
	close(p.there[0]);
	close(p.back[0]);
	close(p.back[1]);
	return true;
}

/* ---- from hand to hand ---- */

#define HANDS 4

/* Whoever has the lock lets others run, so that they come to wait for it. */
struct hands {
	size_t n; /* times each is to have it */
	struct filch_mutex mutex;
	pthread_mutex_t lock;
	uint64_t count; /* under the lock */
};

FILCH_STATIC_TASK(int, hand, (struct hands *, h))
{
	for (size_t i = 0; i < h->n; i++) {
		filch_mutex_lock(&h->mutex);
		h->count++;
		filch_yield();
		filch_mutex_unlock(&h->mutex);
	}
	return 0;
}

FILCH_STATIC_TASK_VOID(handover, (struct hands *, h))
{
	struct filch_future *f[HANDS];

	for (size_t i = 0; i < HANDS; i++)
		if (!(f[i] = FILCH_GO(hand, h)))
			rounds_fail("there is no memory for a future");
	for (size_t i = 0; i < HANDS; i++) {
		rounds_check(!FILCH_AWAIT(hand, f[i]));
		filch_future_drop(f[i]);
	}
}

bool io_handover_filch(const struct rounds_run *run, double *out)
{
	struct hands h = {.n = run->size / HANDS};
	uint64_t began = filch__now_ns();

	FILCH_RUN_ON(run->pool, handover, &h);
	out[0] = per(filch__now_ns() - began, HANDS * h.n);
	rounds_check(h.count == HANDS * h.n);
	return true;
}

static void *hand_main(void *arg)
{
	struct hands *h = arg;

	for (size_t i = 0; i < h->n; i++) {
		pthread_mutex_lock(&h->lock);
		h->count++;
		sched_yield();
		pthread_mutex_unlock(&h->lock);
	}
	return NULL;
}

bool io_handover_thread(const struct rounds_run *run, double *out)
{
	struct hands h = {.n = run->size / HANDS / 10, .lock = PTHREAD_MUTEX_INITIALIZER};
	uint64_t began = filch__now_ns();
	pthread_t t[HANDS];

	for (size_t i = 0; i < HANDS; i++)
		t[i] = io_thread(hand_main, &h);
	for (size_t i = 0; i < HANDS; i++)
		pthread_join(t[i], NULL);
	out[0] = per(filch__now_ns() - began, HANDS * h.n);
	rounds_check(h.count == HANDS * h.n);
	return true;
}
