/* SPDX-License-Identifier: MIT */
/* Tallies: a number in parts is the number of the whole. */
#include "base/tally.h"

#include "tests/test.h"

static struct filch__tally tally;

static void test_one_part(void **state)
{
	(void)state;
	filch__tally_init(&tally, FILCH__TALLY_EACH);
	assert_int_equal(tally.parts, 1);
	assert_false(filch__tally_any(&tally, 0));
	filch__tally_add(&tally, FILCH__TALLY_EACH - 1);
	assert_true(filch__tally_any(&tally, 0));
	assert_true(filch__tally_near(&tally, 0));
	filch__tally_drop(&tally, FILCH__TALLY_EACH - 1);
	assert_int_equal(filch__tally_sum(&tally), 0);
}

static void test_all_parts(void **state)
{
	const uint32_t workers = FILCH__TALLY_EACH * FILCH__TALLY_PARTS;

	(void)state;
	filch__tally_init(&tally, workers);
	assert_int_equal(tally.parts, FILCH__TALLY_PARTS);
	for (uint32_t i = 0; i < workers; i++) {
		filch__tally_add(&tally, i);
		assert_int_equal(filch__tally_sum(&tally), 1);
		for (uint32_t k = 0; k < workers; k++)
			assert_int_equal(filch__tally_near(&tally, k),
			                 i / FILCH__TALLY_EACH == k / FILCH__TALLY_EACH);
		assert_true(filch__tally_any(&tally, 0));
		assert_true(filch__tally_any(&tally, workers - 1));
		assert_true(filch__tally_any(&tally, workers / 2));
		assert_true(filch__tally_any(&tally, UINT32_MAX)); /* a thread outside */
		filch__tally_drop(&tally, i);
	}
	assert_false(filch__tally_any(&tally, workers / 2));
}

static void test_an_incomplete_part(void **state)
{
	(void)state;
	filch__tally_init(&tally, FILCH__TALLY_EACH + 1);
	assert_int_equal(tally.parts, 2);
	filch__tally_add(&tally, FILCH__TALLY_EACH);
	assert_true(filch__tally_any(&tally, 0));
	assert_false(filch__tally_near(&tally, 0));
	assert_true(filch__tally_in(&tally, 1));
}

/* A worker may be counted out before it is counted in. */
static void test_below_zero(void **state)
{
	(void)state;
	filch__tally_init(&tally, 2);
	filch__tally_drop(&tally, 1);
	assert_true(filch__tally_any(&tally, 0));
	filch__tally_add(&tally, 1);
	assert_false(filch__tally_any(&tally, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_part),
		cmocka_unit_test(test_all_parts),
		cmocka_unit_test(test_an_incomplete_part),
		cmocka_unit_test(test_below_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
