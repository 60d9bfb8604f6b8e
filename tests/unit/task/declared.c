/* SPDX-License-Identifier: MIT */
/* Tasks that are declared here and defined in another file. */
#include <filch.h>

#include "tests/test.h"
#include "tests/unit/task/declared_parts/sum.h"

FILCH_STATIC_TASK(long, here, (int, n))
{
	FILCH_SPAWN(x, other_sum, n, 1.0);
	FILCH_SPAWN(y, other_note, n);
	long sum = FILCH_CALL(other_sum, n / 2, 2.0);

	FILCH_JOIN(y);
	return sum + FILCH_JOIN(x);
}

static void test_spawned(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(here, 1000), 500500 + 2 * 125250);
	assert_int_equal(other_noted, 1000);
}

static void test_run(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(other_sum, 100, 1.0), 5050);
	FILCH_RUN(other_note, 7);
	assert_int_equal(other_noted, 7);
}

FILCH_STATIC_TASK(long, parts)
{
	FILCH_FRAME(other_sum) part[20];
	struct filch_group g;
	long sum = 0;

	for (int i = 0; i < 20; i++)
		FILCH_SPAWN_AT(&part[i], other_sum, i, 1.0);
	for (int i = 0; i < 20; i++)
		sum += FILCH_JOIN_AT(&part[i], other_sum);
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, other_note, (int)sum);
	return filch_group_wait(&g) ? 0 : sum;
}

static void test_parts(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(parts), 1330);
	assert_int_equal(other_noted, 1330);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spawned),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
