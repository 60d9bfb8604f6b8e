/* SPDX-License-Identifier: MIT */
/*
 * Mappings refused, so that strands have no stack and run in place: a strand that polls by
 * calls that need not wait still lets the only worker run what it polls for. Where that is
 * not so, this test hangs.
 */
#include <filch.h>
#include <filch/time.h>

#include "tests/refuse.h"
#include "tests/test.h"

REFUSE__wrap_mmap(refused());

FILCH_STATIC_TASK_VOID(sets, (_Atomic(int) *, flag))
{
	store_rlx(flag, 1); /* a flag only */
}

FILCH_STATIC_TASK(long, polls)
{
	_Atomic(int) flag = 0;

	FILCH_SPAWN(it, sets, &flag);
	while (!load_rlx(&flag)) /* a flag only */
		filch_sleep(0);
	FILCH_JOIN(it);
	return 1;
}

static void in_place(void **state)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_stats s;
	struct filch_pool *p;

	(void)state;
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	refuse_after(0, true);
	assert_int_equal(FILCH_RUN_ON(p, polls), 1);
	refuse_none();
	assert_int_equal(filch_pool_stats(p, -1, &s), 0);
	assert_true(s.in_place > 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(in_place)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
