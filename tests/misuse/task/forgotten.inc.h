/* SPDX-License-Identifier: MIT */
/*
 * Groups that are begun and never waited for: the process ends with a sentence, in any
 * build, before the frame that held the group is used for something else. Groups that are
 * waited for late, in another order, or by another strand are let through. Included with
 * and without FILCH_DEBUG.
 */
#include <filch.h>
#include <filch/time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/atomic.h"
#include "tests/child.h"

#define FORGOTTEN(task)                                                                 \
	"filch: filch_group_begin: a function returned with a group that it had begun " \
	"and never waited for, on the strand of task '" task                            \
	"'; call filch_group_wait on every way out of the function that holds the "     \
	"group\n"

static struct filch_pool *pool_of(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p = NULL;

	if (filch_pool_create(&p, &o, NULL))
		_exit(1);
	return p;
}

static _Atomic(int) counted;

FILCH_STATIC_TASK_VOID(count)
{
	add_rlx(&counted, 1); /* a sum only */
}

/* ---- forgotten ---- */

__attribute__((noinline)) static void forget(int tasks)
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < tasks; i++)
		FILCH_GROUP_SPAWN(&g, count);
}

enum then { RETURN, BEGIN, LOOP, SPAWN };

FILCH_STATIC_TASK_VOID(forgets, (enum then, then))
{
	struct filch_group g;

	if (then == BEGIN) {
		filch_group_begin(&g);
		forget(3);
		filch_group_wait(&g);
	}
	for (int i = 0; then == LOOP; i++)
		filch_group_begin(&g);
	forget(3);
	if (then == SPAWN) {
		FILCH_SPAWN(x, count);
		FILCH_JOIN(x);
	}
	if (then != RETURN) {
		fprintf(stderr, "nothing was found");
		_exit(1);
	}
}

static void at_the_end(void)
{
	FILCH_RUN_ON(pool_of(1), forgets, RETURN);
}

static void at_another_group(void)
{
	FILCH_RUN_ON(pool_of(1), forgets, BEGIN);
}

static void in_a_loop(void)
{
	FILCH_RUN_ON(pool_of(1), forgets, LOOP);
}

/* The task of a group forgets a group of its own. */
FILCH_STATIC_TASK_VOID(has_group)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, forgets, RETURN);
	filch_group_wait(&g);
}

static void in_a_group(void)
{
	FILCH_RUN_ON(pool_of(1), has_group);
}

static _Atomic(int) begun;

FILCH_STATIC_TASK_VOID(forgets_stolen)
{
	store_rlx(&begun, 1); /* a flag only */
	forget(0); /* another worker would find its tasks, and might be first */
}

FILCH_STATIC_TASK_VOID(has_thief)
{
	FILCH_SPAWN(x, forgets_stolen);
	while (!load_rlx(&begun)) /* a flag only */
		filch_sleep(FILCH_MS);
	FILCH_JOIN(x);
}

static void by_a_thief(void)
{
	FILCH_RUN_ON(pool_of(2), has_thief);
}

static void forgotten(void **state)
{
	(void)state;
	ends_with(at_the_end, SIGABRT, FORGOTTEN("forgets"));
	ends_with(at_another_group, SIGABRT, FORGOTTEN("forgets"));
	ends_with(in_a_loop, SIGABRT, FORGOTTEN("forgets"));
	ends_with(in_a_group, SIGABRT, FORGOTTEN("has_group"));
	ends_with(by_a_thief, SIGABRT, FORGOTTEN("forgets_stolen"));
}

#ifdef FILCH_DEBUG
static void at_a_spawn(void)
{
	FILCH_RUN_ON(pool_of(1), forgets, SPAWN);
}

static void forgotten_before_a_spawn(void **state)
{
	(void)state;
	ends_with(at_a_spawn, SIGABRT, FORGOTTEN("forgets"));
}
#endif

/* ---- the frame is used again while a task of the group has yet to end ---- */

static _Atomic(int) may_end;

FILCH_STATIC_TASK_VOID(stays)
{
	store_rlx(&begun, 1);       /* a flag only */
	while (!load_acq(&may_end)) /* made by writes_over() */
		;
}

/* The group does not lie on this stack, so no check is made when it is left. */
FILCH_STATIC_TASK_VOID(writes_over)
{
	struct filch_group *g = calloc(1, sizeof *g);

	if (!g)
		return;
	filch_group_begin(g);
	FILCH_GROUP_SPAWN(g, stays);
	while (!load_rlx(&begun)) /* a flag only */
		filch_sleep(FILCH_MS);
	memset(g, 0x55, sizeof *g);
	store_rel(&may_end, 1); /* seen by stays() */
	for (;;)
		filch_sleep(FILCH_S);
}

static void by_the_last_task(void)
{
	FILCH_RUN_ON(pool_of(2), writes_over);
}

static void written_over(void **state)
{
	(void)state;
	ends_with(by_the_last_task, SIGABRT,
	          "filch: filch_group_begin: a group ended before its tasks; call "
	          "filch_group_wait before the function that holds the group returns\n");
}

/* ---- right use ---- */

#define GROUPS 8

/* Waits for groups from the first, from the last, and in between. */
FILCH_STATIC_TASK_VOID(any_order, (int, step))
{
	struct filch_group g[GROUPS];

	for (int i = 0; i < GROUPS; i++) {
		filch_group_begin(&g[i]);
		FILCH_GROUP_SPAWN(&g[i], count);
	}
	for (int i = 0; i < GROUPS; i++)
		filch_group_wait(&g[i * step % GROUPS]);
}

FILCH_STATIC_TASK(struct filch_group *, begins_on_heap)
{
	struct filch_group *g = malloc(sizeof *g);

	if (!g)
		_exit(1);
	filch_group_begin(g);
	FILCH_GROUP_SPAWN(g, count);
	return g;
}

FILCH_STATIC_TASK_VOID(waits, (struct filch_group *, g), (_Atomic(int) *, began))
{
	store_rlx(began, 1); /* a flag only */
	filch_group_wait(g);
}

/* Another strand waits for the group of this frame. */
__attribute__((noinline)) static void waited_for_elsewhere(void)
{
	_Atomic(int) began;
	struct filch_group g;

	atomic_init(&began, 0);
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, count);
	FILCH_SPAWN(x, waits, &g, &began);
	while (!load_rlx(&began)) /* a flag only */
		filch_sleep(FILCH_MS / 10);
	FILCH_JOIN(x);
}

FILCH_STATIC_TASK_VOID(rightly)
{
	struct filch_group *heap = FILCH_CALL(begins_on_heap), g;

	for (int step = 1; step < GROUPS; step += 2)
		FILCH_CALL(any_order, step);
	filch_group_begin(&g);
	waited_for_elsewhere();
	FILCH_CALL(any_order, 1);
	waited_for_elsewhere();
	filch_group_wait(&g);
	filch_group_begin(&g); /* once more */
	filch_group_wait(&g);
	filch_group_wait(heap);
	free(heap);
	filch_sleep(FILCH_MS);
}

static void right_use(void)
{
	struct filch_pool *p = pool_of(2);

	for (int i = 0; i < 20; i++)
		FILCH_RUN_ON(p, rightly);
	if (filch_pool_destroy(p))
		_exit(1);
	fprintf(stderr, "right %d", load_rlx(&counted)); /* all is done */
	raise(SIGTERM);
}

static void let_through(void **state)
{
	(void)state;
	ends_with(right_use, SIGTERM, "right 860"); /* 20 * (5 * 8 + 3) */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forgotten),
#ifdef FILCH_DEBUG
		cmocka_unit_test(forgotten_before_a_spawn),
#endif
		cmocka_unit_test(written_over),
		cmocka_unit_test(let_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
