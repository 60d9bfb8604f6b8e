/* SPDX-License-Identifier: MIT */
/*
 * Memory and mappings refused while a pool is described, the n-th call or all from the n-th
 * on: there is an error with words, or a whole description.
 */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "tests/refuse.h"
#include "tests/test.h"

REFUSE__wrap_malloc(refused());
REFUSE__wrap_realloc(refused());
REFUSE__wrap_mmap(refused());

/* False if the n-th call was not reached. */
static bool live_through(long n, bool all)
{
	char *text = NULL;
	const char *why = NULL;
	int err;

	refuse_after(n, all);
	err = filch_pool_describe(&text, NULL, &why);
	n = load_rlx(&refusals); /* all done */
	refuse_none();
	if (err) {
		assert_int_equal(err, -ENOMEM);
		assert_null(text);
		assert_non_null(strstr(why, "no memory for the "));
	} else {
		assert_non_null(strstr(text, "\"trace_events\":{\"value\":65536"));
		assert_true(n || !strstr(text, "\"stack_guards\":\"unknown\""));
	}
	free(text);
	return n > 0;
}

static void each_refused(void **state)
{
	(void)state;
	for (int all = 0; all < 2; all++) {
		long n = 0;

		while (live_through(n, all))
			n++;
		assert_true(n >= 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
