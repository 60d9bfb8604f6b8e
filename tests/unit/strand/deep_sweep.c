/* SPDX-License-Identifier: MIT */
/*
 * A look through a deep stack ends early, so that a handler does not stop its thread for
 * long, and the next one goes on where it was: the task at the far end is found in the
 * end, by a worker that is asked and by one that finds the strand stopped.
 */
#undef FILCH__LISTING /* as a release has it: records are in no list */
#undef FILCH_EXACT
#include <alloca.h>
#include <filch.h>
#include <string.h>
#include <time.h>

#include "strand/expose.h"
#include "strand/worker.h"
#include "tests/test.h"

#define STACK ((size_t)256 << 20)
#define DEEP ((size_t)192 << 20) /* takes milliseconds to look through */

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	return n;
}

__attribute__((noinline)) static size_t look_as_handler(struct filch__worker *w)
{
	size_t n;

	filch__enter(w);
	n = filch__expose(w, __builtin_frame_address(0), 1, true);
	filch__leave(w);
	return n;
}

/* Returns how many looks it takes to find the task, which lies below all of the frame. */
__attribute__((noinline)) static long looks_needed(char *above)
{
	struct filch__worker *w = filch__worker_self();
	long looks = 1;

	FILCH_SPAWN(x, leaf, 0);
	memset(above, 1, 4096);
	for (; !look_as_handler(w); looks++) {
		assert(looks == 1 || looks % 1000 || w->active->left_off);
		nanosleep(&(struct timespec){0, 100000}, NULL); /* it looks seldom */
	}
	return looks + FILCH_JOIN(x);
}

FILCH_STATIC_TASK(long, deep)
{
	char *room = alloca(DEEP);

	return looks_needed(room);
}

static struct filch_pool *pool_of(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers, .stack_size = STACK};
	struct filch_pool *pool;

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	return pool;
}

static void asked(void **state)
{
	struct filch_pool *pool = pool_of(1);

	(void)state;
	assert_true(FILCH_RUN_ON(pool, deep) > 2);
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static struct filch_event set;

FILCH_STATIC_TASK(long, sets)
{
	filch_event_set(&set);
	return 3;
}

/* Stops with a task hidden at the far end, which alone ends the wait. */
__attribute__((noinline)) static long waits_below(char *above)
{
	FILCH_SPAWN(x, sets);
	memset(above, 1, 4096);
	filch_event_wait(&set);
	return FILCH_JOIN(x);
}

FILCH_STATIC_TASK(long, deep_wait)
{
	char *room = alloca(DEEP);

	return waits_below(room);
}

static void stopped(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct filch_pool *pool = pool_of(workers);

		filch_event_reset(&set);
		assert_int_equal(FILCH_RUN_ON(pool, deep_wait), 3);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(asked),
	                                   cmocka_unit_test(stopped)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
