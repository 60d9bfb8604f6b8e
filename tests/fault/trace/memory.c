/* SPDX-License-Identifier: MIT */
/*
 * Memory and mappings refused, the n-th or all from the n-th on, while FILCH_TRACE is set: a
 * pool is not made, with an error and words, or it works, and nothing is left behind.
 */
#include <errno.h>
#include <filch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/refuse.h"
#include "tests/test.h"

REFUSE__wrap_malloc(refused());
REFUSE__wrap_calloc(refused());
REFUSE__wrap_aligned_alloc(refused());
REFUSE__wrap_mmap(refused());

static char directory[] = "/tmp/filch-trace-XXXXXX", path[64];
static bool seen; /* the sentence about the trace */

/* After the file was written, since it is registered before that is. */
static void remove_file(void)
{
	bool there = !unlink(path);

	if (rmdir(directory) || !there) {
		fprintf(stderr, "no trace, or more than that, in %s\n", directory);
		_exit(1);
	}
}

FILCH_STATIC_TASK(int, twice, (int, n))
{
	return 2 * n;
}

/* False if the n-th call was not come to. */
static bool live_through(long n, bool all)
{
	const struct filch_pool_options o = {.workers = 2};
	struct filch_pool *p = NULL;
	const char *why = NULL;
	int err;

	refuse_after(n, all);
	err = filch_pool_create(&p, &o, &why);
	if (err) {
		refuse_none();
		assert_int_equal(err, -ENOMEM);
		assert_non_null(why);
		seen = seen || strstr(why, "FILCH_TRACE_EVENTS");
		return true;
	}
	assert_int_equal(FILCH_RUN_ON(p, twice, 21), 42);
	refuse_none();
	assert_int_equal(filch_pool_destroy(p), 0);
	return load_rlx(&refusals); /* all is done */
}

static void test_refused(void **state)
{
	(void)state;
	for (int all = 0; all < 2; all++)
		for (long n = 0; live_through(n, all); n++)
			;
	assert_true(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};

	if (!mkdtemp(directory) || atexit(remove_file))
		return 1;
	snprintf(path, sizeof path, "%s/x.json", directory);
	setenv("FILCH_TRACE", path, 1);
	setenv("FILCH_TRACE_EVENTS", "64", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
