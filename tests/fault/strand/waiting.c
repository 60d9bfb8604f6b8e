/* SPDX-License-Identifier: MIT */
/*
 * Very many futures that all wait, while the system gives stacks for a few of them only:
 * some run in place, the others begin when there is a stack again. None is lost, no stack
 * overflows, and a thread outside still gets its task done, which ends the waiting.
 */
#include <filch.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/test.h"

REFUSE__wrap_mmap(refused());

static struct filch_event event;
static _Atomic(size_t) begun, ended;

static void *wait_for_it(void *unused)
{
	add_rlx(&begun, 1); /* a count */
	filch_event_wait(&event);
	add_rlx(&ended, 1); /* a count */
	return unused;
}

FILCH_STATIC_TASK(int, set)
{
	filch_event_set(&event);
	return 1;
}

/* A strand that waited before stacks ran out: it resumes although every worker has strands
 * in place that wait. */
FILCH_STATIC_TASK(int, set_later, (struct filch_event *, here),
                  (struct filch_event *, now))
{
	filch_event_set(here);
	filch_event_wait(now);
	filch_event_set(&event);
	return 1;
}

/* Waits until nothing has begun for a while. */
static void settle(void)
{
	size_t seen = 0;

	for (int calm = 0; calm < 40; calm++) {
		size_t n = load_rlx(&begun); /* polled */

		if (n != seen)
			calm = 0;
		seen = n;
		filch_sleep(FILCH_MS);
	}
}

static void start(struct filch_pool *p, struct filch_future **f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		f[i] = filch_go_on(p, wait_for_it, NULL);
		assert_non_null(f[i]);
	}
	settle();
	assert_true(load_rlx(&refusals) > 0);  /* the pool is quiet */
	assert_int_equal(load_rlx(&ended), 0); /* as above */
}

static void await(struct filch_future **f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(filch_await(f[i]), 0);
		filch_future_drop(f[i]);
	}
	assert_int_equal(load_rlx(&ended), n); /* all done */
}

/* `maps` mappings are granted; `early`: a strand that has a stack sets the event. */
static void live_through(unsigned workers, long maps, bool early)
{
	const size_t n = TEST_SLOW_BUILD || TEST_EMULATED ? 8000 : 100000;
	struct filch_future **f = calloc(n, sizeof *f), *first = NULL;
	struct filch_pool_options o = {.workers = workers, .stack_size = 64 << 10};
	struct filch_event here = FILCH_EVENT_INIT, now = FILCH_EVENT_INIT;
	struct filch_pool *p;

	event = (struct filch_event)FILCH_EVENT_INIT;
	store_rlx(&begun, 0); /* no pool yet */
	store_rlx(&ended, 0); /* as above */
	assert_non_null(f);
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	if (early) {
		first = FILCH_GO_ON(p, set_later, &here, &now);
		assert_non_null(first);
		filch_event_wait(&here); /* it has its stack */
	}
	refuse_after(maps, true);
	start(p, f, n);
	if (early)
		filch_event_set(&now);
	else
		assert_int_equal(FILCH_RUN_ON(p, set), 1);
	await(f, n);
	if (early)
		assert_int_equal(FILCH_AWAIT(set_later, first), 1);
	filch_future_drop(first);
	refuse_none();
	assert_int_equal(filch_pool_destroy(p), 0);
	free(f);
}

static void no_stack(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2)
		live_through(workers, 0, false);
}

static void few_stacks(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2)
		live_through(workers, 3, false);
}

static void resumed(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2)
		live_through(workers, 0, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_stack),
		cmocka_unit_test(few_stacks),
		cmocka_unit_test(resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
