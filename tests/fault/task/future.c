/* SPDX-License-Identifier: MIT */
/*
 * Memory, mappings and threads refused, the n-th or all from the n-th on: a future is not
 * started, or is as good as any, in place if need be; waiting for any of many says that
 * there is no memory; what blocks is run by a helper or in place.
 */
#include <errno.h>
#include <filch.h>
#include <filch/future.h>
#include <filch/io.h>
#include <stdbool.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/test.h"

#define FUTURES 40

REFUSE__wrap_malloc(refused());
REFUSE__wrap_calloc(refused());
REFUSE__wrap_aligned_alloc(refused());
REFUSE__wrap_mmap(refused());
REFUSE__wrap_pthread_create(refused());

/* ---- some work ---- */

FILCH_STATIC_TASK(long, naps, (long, n))
{
	if (n % 3 == 0)
		filch_sleep(FILCH_MS / 5);
	else if (n % 3 == 1)
		filch_yield();
	return n;
}

static void *twice(void *arg)
{
	return (void *)(2 * (uintptr_t)arg);
}

FILCH_STATIC_TASK(long, blocks, (long, n))
{
	return (long)(intptr_t)filch_blocking(twice, (void *)(intptr_t)n);
}

/* Starts those that there is memory for. Returns how many; `want` is the sum of their
 * results. */
static size_t start(struct filch_pool *p, struct filch_future **f, bool block, long *want)
{
	size_t n = 0;

	*want = 0;
	for (long i = 0; i < FUTURES; i++) {
		f[n] = block ? FILCH_GO_ON(p, blocks, i) : FILCH_GO_ON(p, naps, i);
		if (!f[n])
			continue;
		filch_future_deadline(f[n], filch_after(1000 * FILCH_S));
		*want += block ? 2 * i : i;
		n++;
	}
	return n;
}

static void work(struct filch_pool *p, bool block)
{
	struct filch_future *f[FUTURES];
	long want, sum = 0;
	size_t n = start(p, f, block, &want);
	int any = n ? filch_await_any(f, n)
	            : 0; /* here: nothing in place may wait for it */

	assert_true(any == -ENOMEM || (any >= 0 && any <= (int)n));
	if (any == -ENOMEM)
		assert_true(n > 16);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(filch_await(f[i]), 0);
		sum += block ? FILCH_RESULT(blocks, f[i]) : FILCH_RESULT(naps, f[i]);
		filch_future_drop(f[i]);
	}
	assert_int_equal(sum, want);
}

/* ---- tests ---- */

/* Uses futures while the n-th call is refused. False if there was no n-th call. */
static bool live_through(unsigned workers, long n, bool all)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p = NULL;

	refuse_none();
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	refuse_after(n, all);
	work(p, false);
	work(p, true);
	assert_int_equal(filch_pool_destroy(p), 0);
	return load_rlx(&refusals) > 0; /* all done */
}

static void each_call(bool all)
{
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		long n = 0;

		while (live_through(workers, n, all))
			if (++n > (TEST_SLOW_BUILD ? 60 : 200))
				break;
		assert_true(n > FUTURES);
		refuse_none();
		assert_false(live_through(workers, NEVER, false));
	}
}

static void nth_refused(void **state)
{
	(void)state;
	each_call(false);
}

static void all_from_nth_refused(void **state)
{
	(void)state;
	each_call(true);
}

/* Not a single one. */
static void nothing_to_start_with(void **state)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *p = NULL;
	struct filch_future *f;

	(void)state;
	refuse_none();
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	refuse_after(0, true);
	assert_null(FILCH_GO_ON(p, naps, 1));
	assert_null(filch_go_on(p, twice, NULL));
	assert_int_equal(FILCH_RUN_ON(p, blocks, 4), 8); /* in place */
	refuse_none();
	f = FILCH_GO_ON(p, blocks, 1);
	assert_int_equal(FILCH_AWAIT(blocks, f), 2);
	filch_future_drop(f);
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nth_refused),
		cmocka_unit_test(all_from_nth_refused),
		cmocka_unit_test(nothing_to_start_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
