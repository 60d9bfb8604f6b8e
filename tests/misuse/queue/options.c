/* SPDX-License-Identifier: MIT */
/* Wrong options are refused with a sentence, for every kind, and nothing is left to
 * destroy. */
#include "tests/test.h"

#include <errno.h>
#include <string.h>

#include "queue/abp.h"
#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"
#include "queue/chase_lev.h"
#include "queue/locked.h"
#include "queue/runq.h"

static const struct {
	struct filch_queue_options o;
	const char *says;
} wrong[] = {
	{{3, 8, false, 0}, "block size"},
	{{FILCH_BLOCK_SIZE_MAX * 2, 8, false, 0}, "32768"},
	{{64, 1, false, 0}, "number of blocks"},
	{{64, 7, false, 0}, "power of two"},
	{{64, FILCH_BLOCKS_MAX * 2, false, 0}, "1048576"},
};

static void resolve_says_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct filch_queue_options out = {1, 2, true, 3}, before = out;
		const char *why = NULL;

		assert_int_equal(filch_queue_options_resolve(&out, &wrong[i].o, &why),
		                 -EINVAL);
		assert_non_null(strstr(why, wrong[i].says));
		assert_memory_equal(&out, &before, sizeof out);
	}
}

static void resolve_fills_in_defaults(void **state)
{
	struct filch_queue_options out;

	(void)state;
	assert_int_equal(filch_queue_options_resolve(&out, NULL, NULL), 0);
	assert_int_equal(out.block_size, 64);
	assert_int_equal(out.blocks, 8);
	assert_false(out.fixed);
}

static void init_refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
#define EACH(kind, order, text)                                                  \
	{                                                                        \
		struct filch_##kind q;                                           \
		assert_int_equal(filch_##kind##_init(&q, &wrong[i].o), -EINVAL); \
	}
		FILCH_QUEUE_KINDS(EACH)
#undef EACH
	}
}

static void results_have_names(void **state)
{
	(void)state;
	assert_string_equal(filch_result_name(FILCH_OK), "OK");
	assert_string_equal(filch_result_name(FILCH_FULL), "FULL");
	assert_string_equal(filch_result_name((enum filch_result)99), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolve_says_why),
		cmocka_unit_test(resolve_fills_in_defaults),
		cmocka_unit_test(init_refuses),
		cmocka_unit_test(results_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
