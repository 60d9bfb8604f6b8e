/* SPDX-License-Identifier: MIT */
/*
 * For tests of what strands and threads wait for: one function on several of them at once,
 * and checks that print what is wrong (cmocka's own would leave a strand by longjmp).
 */
#ifndef FILCH_TESTS_TOGETHER_H
#define FILCH_TESTS_TOGETHER_H

#include <errno.h>
#include <filch.h>
#include <filch/time.h>
#include <pthread.h>

#include "base/atomic.h"
#include "tests/test.h"
#include "wait/wait.h"

/* ---- checks on any strand or thread ---- */

static _Atomic(unsigned) checks_failed;

static inline void check_that(bool right, const char *what, const char *file, int line)
{
	if (right)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	add_rlx(&checks_failed, 1); /* counted */
}

#define CHECK(x) check_that((x), #x, __FILE__, __LINE__)

/* Called by the test itself, when all strands and threads are done. */
static inline void all_right(void)
{
	assert_int_equal(xchg_rlx(&checks_failed, 0), 0); /* nobody else is there */
}

/* ---- one function on several strands and threads ---- */

#define TOGETHER_MOST 64

typedef void together_fn(void *shared, unsigned index);

struct together {
	together_fn *fn;
	void *shared;
	unsigned strands, threads;
};

struct together_thread {
	const struct together *all;
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

FILCH_STATIC_TASK_VOID(together_strand, (const struct together *, c), (unsigned, index))
{
	c->fn(c->shared, index);
}

FILCH_STATIC_TASK_VOID(together_strands, (const struct together *, c))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (unsigned i = 0; i < c->strands; i++)
		FILCH_GROUP_SPAWN(&g, together_strand, c, i);
	filch_group_wait(&g);
}

static inline void *together_thread(void *arg)
{
	struct together_thread *t = arg;

	t->all->fn(t->all->shared, t->index);
	return NULL;
}

/* Calls fn(shared, index) on so many strands of the pool, and on so many threads, whose
 * indices follow those of the strands. */
static inline void together_on(struct filch_pool *p, unsigned strands, unsigned threads,
                               together_fn *fn, void *shared)
{
	struct together c = {fn, shared, strands, threads};
	struct together_thread t[TOGETHER_MOST];

	for (unsigned i = 0; i < threads; i++) {
		t[i].all = &c;
		t[i].index = strands + i;
		assert_int_equal(
			pthread_create(&t[i].thread, NULL, together_thread, &t[i]), 0);
	}
	if (strands)
		FILCH_RUN_ON(p, together_strands, &c);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i].thread, NULL);
}

/* The same on pools of several sizes, strands only, threads only and both. */
static inline void together(unsigned strands, unsigned threads, together_fn *fn,
                            void *shared)
{
	static const unsigned workers[] = {1, 2, 8};

	for (unsigned i = 0; i < 3; i++) {
		struct filch_pool *p = pool_of(workers[i]);

		together_on(p, strands + threads, 0, fn, shared);
		together_on(p, 0, strands + threads, fn, shared);
		together_on(p, strands, threads, fn, shared);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* ---- a function that waits, beside the test ---- */

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
	size_t n;

	filch__lock(&list->lock);
	n = filch__list_check(&list->list, SIZE_MAX);
	filch__unlock(&list->lock);
	return (unsigned)n;
}

static inline void until_waiting(struct filch__waiters *list, unsigned n)
{
	while (waiting(list) != n)
		filch_sleep(20 * FILCH_US);
}

/* ---- a task that is cancelled while it waits ---- */

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

/* The result of fn() if its group is cancelled while it waits in this list. */
static inline int result_if_cancelled(struct filch_pool *p, int (*fn)(void *), void *arg,
                                      struct filch__waiters *list)
{
	struct cancelled c = {fn, arg, list, 1};

	return FILCH_RUN_ON(p, cancelled_main, &c);
}

#endif
