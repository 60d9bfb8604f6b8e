/* SPDX-License-Identifier: MIT */
/*
 * For tests of what strands and threads wait for: crews of both, and words on what they
 * find wrong (cmocka's own checks would leave a strand by longjmp).
 */
#ifndef FILCH_TESTS_CREW_H
#define FILCH_TESTS_CREW_H

#include <errno.h>
#include <filch.h>
#include <filch/time.h>
#include <pthread.h>

#include "base/atomic.h"
#include "sched/wait.h"
#include "tests/test.h"

/* ---- checks on any strand or thread ---- */

static _Atomic(unsigned) crew_wrong;

static inline void crew_check(bool right, const char *what, const char *file, int line)
{
	if (right)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	add_rlx(&crew_wrong, 1); /* counted */
}

#define CHECK(x) crew_check((x), #x, __FILE__, __LINE__)

/* By the test itself, when all are done. */
static inline void all_right(void)
{
	assert_int_equal(xchg_rlx(&crew_wrong, 0), 0); /* nobody else is there */
}

/* ---- crews ---- */

#define CREW_MOST 64

typedef void crew_fn(void *shared, unsigned index);

struct crew {
	crew_fn *fn;
	void *shared;
	unsigned strands, threads;
};

struct crew_thread {
	const struct crew *crew;
	unsigned index;
	pthread_t thread;
};

static inline struct filch_pool *pool_of(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p = NULL;

	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	return p;
}

FILCH_STATIC_TASK_VOID(crew_strand, (const struct crew *, c), (unsigned, index))
{
	c->fn(c->shared, index);
}

FILCH_STATIC_TASK_VOID(crew_strands, (const struct crew *, c))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (unsigned i = 0; i < c->strands; i++)
		FILCH_GROUP_SPAWN(&g, crew_strand, c, i);
	filch_group_wait(&g);
}

static inline void *crew_thread(void *arg)
{
	struct crew_thread *t = arg;

	t->crew->fn(t->crew->shared, t->index);
	return NULL;
}

/* Calls fn(shared, index) on so many strands and, with the indices after those,
 * threads. */
static inline void crew_run(struct filch_pool *p, unsigned strands, unsigned threads,
                            crew_fn *fn, void *shared)
{
	struct crew c = {fn, shared, strands, threads};
	struct crew_thread t[CREW_MOST];

	for (unsigned i = 0; i < threads; i++) {
		t[i].crew = &c;
		t[i].index = strands + i;
		assert_int_equal(pthread_create(&t[i].thread, NULL, crew_thread, &t[i]),
		                 0);
	}
	if (strands)
		FILCH_RUN_ON(p, crew_strands, &c);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i].thread, NULL);
}

/* The same on pools of several sizes, strands only, threads only and both. */
static inline void crews(unsigned strands, unsigned threads, crew_fn *fn, void *shared)
{
	static const unsigned workers[] = {1, 2, 8};

	for (unsigned i = 0; i < 3; i++) {
		struct filch_pool *p = pool_of(workers[i]);

		crew_run(p, strands + threads, 0, fn, shared);
		crew_run(p, 0, strands + threads, fn, shared);
		crew_run(p, strands, threads, fn, shared);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* ---- one that waits, beside the test ---- */

struct aside {
	int (*fn)(void *);
	void *arg;
	struct filch_pool *pool; /* NULL: on a thread */
	int result;
	pthread_t thread;
};

FILCH_STATIC_TASK(int, aside_strand, (struct aside *, a))
{
	return a->fn(a->arg);
}

static inline void *aside_thread(void *arg)
{
	struct aside *a = arg;

	a->result = a->pool ? FILCH_RUN_ON(a->pool, aside_strand, a) : a->fn(a->arg);
	return NULL;
}

static inline void aside_begin(struct aside *a, struct filch_pool *pool,
                               int (*fn)(void *), void *arg)
{
	a->fn = fn;
	a->arg = arg;
	a->pool = pool;
	assert_int_equal(pthread_create(&a->thread, NULL, aside_thread, a), 0);
}

static inline int aside_end(struct aside *a)
{
	pthread_join(a->thread, NULL);
	return a->result;
}

/* The result of fn() on a strand of the pool, or on another thread if that is NULL. */
static inline int result_on(struct filch_pool *pool, int (*fn)(void *), void *arg)
{
	struct aside a;

	aside_begin(&a, pool, fn, arg);
	return aside_end(&a);
}

/* How many wait in this list now. */
static inline unsigned waiting(struct filch__waiters *list)
{
	unsigned n = 0;

	filch__lock(&list->lock);
	for (struct filch__waiter *x = list->first; x; x = x->next)
		n++;
	filch__unlock(&list->lock);
	return n;
}

static inline void until_waiting(struct filch__waiters *list, unsigned n)
{
	while (waiting(list) != n)
		filch_sleep(20 * FILCH_US);
}

/* ---- one that is cancelled while it waits ---- */

struct cancelled {
	int (*fn)(void *);
	void *arg;
	struct filch__waiters *list; /* where it waits */
	int result;
};

FILCH_STATIC_TASK_VOID(cancelled_one, (struct cancelled *, c))
{
	c->result = c->fn(c->arg);
}

FILCH_STATIC_TASK_VOID(canceller, (struct cancelled *, c), (struct filch_group *, g))
{
	until_waiting(c->list, 1);
	filch_group_cancel(g);
}

FILCH_STATIC_TASK(int, cancelled_main, (struct cancelled *, c))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, cancelled_one, c);
	FILCH_GROUP_SPAWN(&g, canceller, c, &g);
	CHECK(filch_group_wait(&g) == -ECANCELED);
	return c->result;
}

/* What fn() returns if its group is cancelled while it waits in this list. */
static inline int result_if_cancelled(struct filch_pool *p, int (*fn)(void *), void *arg,
                                      struct filch__waiters *list)
{
	struct cancelled c = {fn, arg, list, 1};

	return FILCH_RUN_ON(p, cancelled_main, &c);
}

#endif
