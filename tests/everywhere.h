/* SPDX-License-Identifier: MIT */
/*
 * The same function within pools of several sizes, and outside any.
 */
#ifndef FILCH_TESTS_EVERYWHERE_H
#define FILCH_TESTS_EVERYWHERE_H

#include <filch/group.h>
#include <filch/pool.h>
#include <filch/task.h>

#include "base/atomic.h"
#include "tests/test.h"

#define EVERYWHERE_POOLS 3

static const unsigned everywhere_workers[EVERYWHERE_POOLS] = {1, 2, 8};
static struct filch_pool *everywhere_pool[EVERYWHERE_POOLS];

/* Before and after a group of tests. */
static inline int everywhere_begin(void **state)
{
	(void)state;
	for (int i = 0; i < EVERYWHERE_POOLS; i++) {
		struct filch_pool_options o = {.workers = everywhere_workers[i]};

		if (filch_pool_create(&everywhere_pool[i], &o, NULL))
			return -1;
	}
	return 0;
}

static inline int everywhere_end(void **state)
{
	int r = 0;

	(void)state;
	for (int i = 0; i < EVERYWHERE_POOLS; i++)
		r |= filch_pool_destroy(everywhere_pool[i]);
	return r;
}

struct everywhere_call {
	void (*test)(void *context);
	void *context;
};

FILCH_STATIC_TASK_VOID(everywhere_task, (struct everywhere_call, c))
{
	c.test(c.context);
}

static inline void in_pool(unsigned workers, void (*test)(void *context), void *context)
{
	struct everywhere_call c = {test, context};

	for (int i = 0; i < EVERYWHERE_POOLS; i++)
		if (everywhere_workers[i] == workers)
			FILCH_RUN_ON(everywhere_pool[i], everywhere_task, c);
}

/* Within a task of pools of 1, 2 and 8 workers; then outside, where the default pool has what
 * the machine has. */
static inline void everywhere(void (*test)(void *context), void *context)
{
	for (int i = 0; i < EVERYWHERE_POOLS; i++)
		in_pool(everywhere_workers[i], test, context);
	test(context);
}

FILCH_STATIC_TASK_VOID(everywhere_cancelled_task, (struct filch_group *, g),
                       (struct everywhere_call, c))
{
	filch_group_cancel(g);
	c.test(c.context);
}

static inline void everywhere_cancel(void *context)
{
	struct everywhere_call *c = (struct everywhere_call *)context;
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, everywhere_cancelled_task, &g, *c);
	filch_group_wait(&g);
}

/* The same in tasks whose group is cancelled. */
static inline void everywhere_cancelled(void (*test)(void *context), void *context)
{
	struct everywhere_call c = {test, context};

	for (int i = 0; i < EVERYWHERE_POOLS; i++)
		in_pool(everywhere_workers[i], everywhere_cancel, &c);
}

/* How many are there at once, at most: for bodies that wait. */
struct presence {
	_Atomic(int) now, most;
};

static inline void come(struct presence *p)
{
	int n = add_rlx(&p->now, 1) + 1, most = load_rlx(&p->most);

	while (n > most && !cas_rlx(&p->most, &most, n))
		;
}

static inline void go(struct presence *p)
{
	add_rlx(&p->now, -1);
}

#endif
