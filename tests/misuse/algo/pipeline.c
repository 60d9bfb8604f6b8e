/* SPDX-License-Identifier: MIT */
/*
 * Pipelines that cannot be run: the call says so, and calls nothing.
 */
#include <errno.h>
#include <filch.h>
#include <filch/pipeline.h>

#include "tests/test.h"

static unsigned calls;

static int call(void **item, void *context)
{
	(void)item;
	(void)context;
	calls++;
	return 0;
}

static void drop(void *item)
{
	(void)item;
	calls++;
}

static int run(const struct filch_stage *stage, size_t stages)
{
	int result = filch_pipeline(stage, stages, 2, drop);

	assert_int_equal(calls, 0);
	return result;
}

FILCH_STATIC_TASK(int, run_inside, (const struct filch_stage *, stage), (size_t, stages))
{
	return filch_pipeline(stage, stages, 2, drop);
}

/* From outside and from within a task. */
static void is_refused(const struct filch_stage *stage, size_t stages)
{
	assert_int_equal(run(stage, stages), -EINVAL);
	assert_int_equal(FILCH_RUN(run_inside, stage, stages), -EINVAL);
	assert_int_equal(calls, 0);
}

static void no_stages(void **state)
{
	const struct filch_stage stage = {FILCH_SERIAL, call, NULL};

	(void)state;
	is_refused(NULL, 0);
	is_refused(NULL, 1);
	is_refused(&stage, 0);
}

static void no_function(void **state)
{
	const struct filch_stage first[] = {{FILCH_SERIAL, NULL, NULL},
	                                    {FILCH_SERIAL, call, NULL}};
	const struct filch_stage last[] = {{FILCH_SERIAL, call, NULL},
	                                   {FILCH_PARALLEL, NULL, NULL}};

	(void)state;
	is_refused(first, 1);
	is_refused(first, 2);
	is_refused(last, 2);
}

static void wrong_kind(void **state)
{
	const struct filch_stage first[] = {{FILCH_PARALLEL, call, NULL},
	                                    {FILCH_SERIAL, call, NULL}};
	const struct filch_stage none[] = {{FILCH_SERIAL, call, NULL},
	                                   {(enum filch_stage_kind)2, call, NULL}};

	(void)state;
	is_refused(first, 1);
	is_refused(first, 2);
	is_refused(none, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_stages),
		cmocka_unit_test(no_function),
		cmocka_unit_test(wrong_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
