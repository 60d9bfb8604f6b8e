/* SPDX-License-Identifier: MIT */
/*
 * The system gives no room for the stacks that a pool has by default: it gets smaller
 * ones, and nothing has to run in place.
 */
#include <filch.h>

#include "base/atomic.h"
#include "pool/depth.h"
#include "tests/refuse.h"
#include "tests/test.h"

static _Atomic(size_t) most = SIZE_MAX; /* bytes of a mapping */
static _Atomic(long) too_large;

static bool refuse(size_t size)
{
	if (size <= load_rlx(&most)) /* set before */
		return false;
	add_rlx(&too_large, 1); /* a count */
	errno = ENOMEM;
	return true;
}

REFUSE__wrap_mmap(refuse(size));

FILCH_STATIC_TASK(long, fib, (long, n))
{
	long y;

	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void smaller_stacks(void **state)
{
	struct filch_pool_options o = {.workers = 2};
	struct filch__limits limits;
	struct filch_future *f;
	struct filch_stats stats;
	struct filch_pool *p;

	(void)state;
	filch__limits_read(&limits);
	if (filch__stack_size_for(&limits) <= 4 * FILCH__STACK_SHALLOW)
		skip(); /* there are no larger ones */
	store_rlx(&most, 3 * FILCH__STACK_SHALLOW); /* before its workers make stacks */
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	for (int i = 0; i < 20; i++)
		assert_int_equal(FILCH_RUN_ON(p, fib, 20), 6765);
	assert_true(load_rlx(&too_large) > 0); /* all done */
	f = FILCH_GO_ON(p, fib, 20);
	assert_int_equal(FILCH_AWAIT(fib, f), 6765);
	filch_future_drop(f);
	assert_int_equal(filch_pool_stats(p, -1, &stats), 0);
	assert_int_equal(stats.in_place, 0);
	store_rlx(&most, SIZE_MAX); /* as above */
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(smaller_stacks)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
