/* SPDX-License-Identifier: MIT */
/*
 * Memory and mappings refused, the n-th or all from the n-th on: a pool is not made, with
 * an error and words, or it works; and what runs while memory is refused gives the right
 * result, eager or not, with arrays, groups and strands that wait.
 */
#include <errno.h>
#include <filch.h>
#include <stdbool.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/test.h"

REFUSE__wrap_malloc(refused());
REFUSE__wrap_calloc(refused());
REFUSE__wrap_aligned_alloc(refused());
REFUSE__wrap_mmap(refused());

/* ---- some work ---- */

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK_VOID(fib_to, (long *, out), (int, n))
{
	*out = FILCH_CALL(fib, n);
}

/* Arrays of groups: 8 * 4 * fib(n). */
FILCH_STATIC_TASK(long, grouped, (int, n))
{
	struct filch_group g;
	long value[4];

	filch_group_begin(&g);
	for (int i = 0; i < 4; i++)
		FILCH_GROUP_SPAWN(&g, fib_to, &value[i], n);
	if (filch_group_wait(&g))
		return -1;
	return value[0] + value[1] + value[2] + value[3];
}

FILCH_STATIC_TASK(long, mixed, (int, n))
{
	FILCH_FRAME(grouped) part[8];
	long sum = 0;

	for (int i = 0; i < 8; i++)
		FILCH_SPAWN_AT(&part[i], grouped, n);
	for (int i = 0; i < 8; i++)
		sum += FILCH_JOIN_AT(&part[i], grouped);
	return sum;
}

static void work(struct filch_pool *p)
{
	assert_int_equal(FILCH_RUN_ON(p, fib, 14), 377);
	assert_int_equal(FILCH_RUN_ON(p, mixed, 8), 32 * 21);
}

/* ---- tests ---- */

static const struct filch_pool_options ways[] = {
	{.workers = 1},
	{.workers = 3},
	{.workers = 3, .block_steal = FILCH_ON, .block_size = 1},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Makes a pool, works, ends it, while the n-th call is refused. False if it was not come
 * to. */
static bool live_through(const struct filch_pool_options *o, long n, bool all)
{
	struct filch_pool *p = NULL;
	const char *why = NULL;
	int err;

	refuse_after(n, all);
	err = filch_pool_create(&p, o, &why);
	if (err) {
		assert_int_equal(err, -ENOMEM);
		assert_null(p);
		assert_non_null(why);
		assert_true(strlen(why) > 10);
	} else {
		work(p);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	return load_rlx(&refusals) > 0; /* all done */
}

static void each_call(bool all)
{
	for (size_t i = 0; i < WAYS; i++) {
		long n = 0;

		while (live_through(&ways[i], n, all))
			if (++n > (TEST_SLOW_BUILD ? 100 : 400))
				break;
		assert_true(n > 5);
		refuse_none();
		assert_false(live_through(&ways[i], NEVER, false));
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

/* A pool that was made well, and then gets no more memory. */
static void nothing_while_it_works(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool_options o = {.workers = workers};

		for (size_t i = 0; i < test_scaled(20); i++) {
			struct filch_pool *p;

			refuse_none();
			assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
			if (i & 1)
				work(p); /* it has stacks and deques by now */
			refuse_after((long)i / 2, true);
			for (int k = 0; k < 5; k++)
				work(p);
			assert_int_equal(filch_pool_destroy(p), 0);
		}
	}
	refuse_none();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nth_refused),
		cmocka_unit_test(all_from_nth_refused),
		cmocka_unit_test(nothing_while_it_works),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
