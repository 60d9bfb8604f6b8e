/* SPDX-License-Identifier: MIT */
/*
 * Frames that are left while their task is still in the strand's list: with FILCH_EXACT the
 * process ends with a sentence at the next spawn, before the list leads to a frame that is
 * used for something else. Frames that are joined in another order, and those of functions
 * that spawn while their callers' tasks are listed, are let through.
 */
#undef FILCH__LISTING
#define FILCH_EXACT 1
#include <filch.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/child.h"

#define LEFT                                                                          \
	"filch: FILCH_SPAWN: a task that was spawned here earlier was never joined; " \
	"join it before its function returns\n"

/* One worker: no other takes the task off the list. */
static struct filch_pool *pool_of_one(void)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *p = NULL;

	if (filch_pool_create(&p, &o, NULL))
		_exit(1);
	return p;
}

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	return 3 * n + 1;
}

/* ---- left ---- */

__attribute__((noinline)) static void leave(long n)
{
	FILCH_FRAME(leaf) x;

	FILCH_SPAWN_AT(&x, leaf, n);
	__asm__ volatile("" : : "r"(&x) : "memory");
}

__attribute__((noinline)) static void leave_deeper(long n)
{
	char used[3000];

	__asm__ volatile("" : : "r"(used) : "memory");
	leave(n);
	__asm__ volatile("" : : "r"(used) : "memory");
}

__attribute__((noinline)) static long spawn(void)
{
	FILCH_SPAWN(x, leaf, 1);
	return FILCH_JOIN(x);
}

enum then { SPAWN, CALL, AGAIN };

FILCH_STATIC_TASK_VOID(leaves, (enum then, then), (int, deeper))
{
	for (int i = 0; i < (then == AGAIN ? 3 : 1); i++)
		if (deeper)
			leave_deeper(i);
		else
			leave(i);
	if (then == SPAWN) {
		FILCH_SPAWN(x, leaf, 1);
		FILCH_JOIN(x);
	} else if (then == CALL) {
		spawn();
	}
	fprintf(stderr, "nothing was found");
	_exit(1);
}

static void at_the_next_spawn(void)
{
	FILCH_RUN_ON(pool_of_one(), leaves, SPAWN, 0);
}

static void far_below(void)
{
	FILCH_RUN_ON(pool_of_one(), leaves, SPAWN, 1);
}

static void at_a_spawn_further_down(void)
{
	FILCH_RUN_ON(pool_of_one(), leaves, CALL, 1);
}

/* The next spawn is that of the same function, in a frame at the same place. */
static void by_a_loop(void)
{
	FILCH_RUN_ON(pool_of_one(), leaves, AGAIN, 0);
}

FILCH_STATIC_TASK_VOID(spawns_twice)
{
	FILCH_FRAME(leaf) x;

	FILCH_SPAWN_AT(&x, leaf, 1);
	FILCH_SPAWN_AT(&x, leaf, 2);
	fprintf(stderr, "nothing was found");
	_exit(1);
}

static void in_one_frame(void)
{
	FILCH_RUN_ON(pool_of_one(), spawns_twice);
}

static void left(void **state)
{
	(void)state;
	ends_with(at_the_next_spawn, SIGABRT, LEFT);
	ends_with(far_below, SIGABRT, LEFT);
	ends_with(at_a_spawn_further_down, SIGABRT, LEFT);
}

static void spawned_again(void **state)
{
	(void)state;
	ends_with(by_a_loop, SIGABRT, LEFT);
	ends_with(in_one_frame, SIGABRT, LEFT);
}

/* ---- right use ---- */

#define PARTS 8

/* Joins from the first, from the last, and in between. */
FILCH_STATIC_TASK(long, any_order, (int, step))
{
	FILCH_FRAME(leaf) part[PARTS];
	long sum = 0;

	for (int i = 0; i < PARTS; i++)
		FILCH_SPAWN_AT(&part[i], leaf, i);
	for (int i = 0; i < PARTS; i++)
		sum += FILCH_JOIN_AT(&part[i * step % PARTS], leaf);
	return sum; /* 3 * 28 + 8 */
}

FILCH_STATIC_TASK(long, rightly)
{
	FILCH_FRAME(leaf) x;
	long sum = 0;

	for (int step = 1; step < PARTS; step += 2) {
		FILCH_SPAWN_AT(&x, leaf, step);
		sum += FILCH_CALL(any_order, step);
		FILCH_SPAWN(y, any_order, step);
		sum += FILCH_JOIN_AT(&x, leaf);
		sum += FILCH_JOIN(y);
	}
	return sum; /* 4 * 2 * 92 + 3 * 16 + 4 */
}

static void right_use(void)
{
	struct filch_pool *p = pool_of_one();
	long sum = FILCH_RUN_ON(p, rightly);

	if (filch_pool_destroy(p))
		_exit(1);
	fprintf(stderr, "right %ld", sum);
	raise(SIGTERM);
}

static void let_through(void **state)
{
	(void)state;
	ends_with(right_use, SIGTERM, "right 788");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(left),
		cmocka_unit_test(spawned_again),
		cmocka_unit_test(let_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
