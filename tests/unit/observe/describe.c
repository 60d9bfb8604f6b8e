/* SPDX-License-Identifier: MIT */
/*
 * The description of a pool that is not made: values, where they come from and why, texts
 * that JSON must escape, what is refused with which sentence, and the list of variables.
 */
#include "tests/test.h"

#include <errno.h>
#include <filch.h>
#include <string.h>

#include "fiber/switch.h"
#include "observe/above.h"
#include "pool/depth.h"

static char *text;

static int clear(void **state)
{
	const char *name, *allowed;

	(void)state;
	for (unsigned i = 0; (name = filch_pool_variable(i, &allowed)); i++)
		unsetenv(name);
	return 0;
}

static int forget(void **state)
{
	(void)state;
	free(text);
	text = NULL;
	return 0;
}

static void describe(const struct filch_pool_options *o)
{
	const char *why = "";

	forget(NULL);
	if (filch_pool_describe(&text, o, &why))
		fail_msg("%s", why);
}

static void says(const char *what)
{
	if (!strstr(text, what))
		fail_msg("no %s in %s", what, text);
}

static void refused(const struct filch_pool_options *o, const char *sentence)
{
	char *untouched = (char *)"untouched";
	const char *why = "";

	assert_int_equal(filch_pool_describe(&untouched, o, &why), -EINVAL);
	assert_string_equal(why, sentence);
	assert_string_equal(untouched, "untouched");
	assert_int_equal(filch_pool_describe(&untouched, o, NULL), -EINVAL);
}

static void test_defaults(void **state)
{
	struct filch__limits limits;
	char size[80];

	(void)state;
	describe(NULL);
	assert_int_equal(text[0], '{');
	says("{\"version\":\"" FILCH_VERSION "\",\"build\":{\"switch\":\"");
	says("\"processors\":{\"online\":");
	says("\"topology\":{\"packages\":");
	filch__limits_read(&limits);
	snprintf(size, sizeof size, "\"stack_size\":{\"value\":%zu,\"from\":\"default\"}",
	         filch__stack_size_for(&limits));
	says(size);
	says("\"policy\":{\"value\":\"nearest\",\"from\":\"default\"}");
	says("\"probabilistic\":{\"value\":false,\"from\":\"default\"}");
	says("\"signal\":{\"value\":null,\"from\":\"default\"");
	says(FILCH__TSAN ? "\"ask\":{\"value\":\"poll\",\"from\":\"default\",\"why\":\""
	                 : "\"ask\":{\"value\":\"signal\",\"from\":\"default\"}");
	says("\"trace_events\":{\"value\":65536,\"from\":\"default\"}}}");
	assert_null(strchr(text, '\n'));
}

static void test_sources(void **state)
{
	const struct filch_pool_options o = {.workers = 3, .ask = "poll"};

	(void)state;
	setenv("FILCH_WORKERS", "nonsense", 1); /* an option overrides it */
	setenv("FILCH_BLOCK_STEAL", "on", 1);
	setenv("FILCH_SIGNAL", "USR1", 1);
	setenv("FILCH_TRACE", "a \"trace\"\\\n\xff", 1);
	describe(&o);
	says("\"workers\":{\"value\":3,\"from\":\"option\"}");
	says("\"ask\":{\"value\":\"poll\",\"from\":\"option\"}");
	says("\"block_steal\":{\"value\":true,\"from\":\"FILCH_BLOCK_STEAL\"}");
	says("\"signal\":{\"value\":\"SIGUSR1\",\"from\":\"FILCH_SIGNAL\"}");
	says("\"trace\":{\"value\":\"a "
	     "\\u0022trace\\u0022\\u005c\\u000a\\ufffd\",\"from\":"
	     "\"FILCH_TRACE\"}");
}

static void test_topology(void **state)
{
	(void)state;
#ifndef FILCH_NO_HWLOC
	describe(&(struct filch_pool_options){.topology = "package:2 core:2 pu:2"});
	says("\"topology\":{\"packages\":2,\"numa_nodes\":1,\"cores\":4,"
	     "\"processing_units\":8}");
	says("\"topology\":{\"value\":\"package:2 core:2 pu:2\",\"from\":\"option\"}");
	says("\"bind\":{\"value\":\"auto\",\"from\":\"default\",\"why\":\"no effect: the "
	     "topology may be that of another machine\"}");
	describe(&(struct filch_pool_options){.topology = "package:2 core:2 pu:2",
	                                      .bind = "on"});
	says("\"bind\":{\"value\":\"on\",\"from\":\"option\",\"why\":\"workers are bound "
	     "to "
	     "one of 2 groups of processors each\"}");
	describe(&(struct filch_pool_options){.bind = "off"});
	says("\"bind\":{\"value\":\"off\",\"from\":\"option\",\"why\":\"workers run "
	     "anywhere\"}");
#endif
}

/* The words about files follow the answer of the kernel. */
static void test_io(void **state)
{
	char why[128], want[256] = "uring, which the kernel allows";

	(void)state;
	if (filch__uring_probe(why, sizeof why))
		snprintf(want, sizeof want,
		         "helper threads for files, since io_uring is refused: %s", why);
	describe(NULL);
	says("\"io\":{\"value\":\"auto\",\"from\":\"default\",\"why\":\"");
	says(want);
	describe(&(struct filch_pool_options){.io = "epoll"});
	says("\"io\":{\"value\":\"epoll\",\"from\":\"option\"}");
}

static void test_refused(void **state)
{
	struct filch_pool *pool;
	const char *why = "";

	(void)state;
	refused(&(struct filch_pool_options){.workers = 1025},
	        "option workers is '1025', but must be a number from 1 to 1024");
	refused(&(struct filch_pool_options){.topology = "no such machine"},
	        "option topology is 'no such machine', but must be a topology that hwloc "
	        "can read (numa:2 core:2 pu:1)");
	setenv("FILCH_TOPOLOGY", "nonsense:1", 1);
	refused(NULL, "FILCH_TOPOLOGY is 'nonsense:1', but must be a topology that hwloc "
	              "can read (numa:2 core:2 pu:1)");
	/* A pool is refused by the same sentence. */
	assert_int_equal(filch_pool_create(&pool, NULL, &why), -EINVAL);
	assert_non_null(strstr(why, "FILCH_TOPOLOGY is 'nonsense:1', but must be"));
	setenv("FILCH_ASK", "loudly", 1);
	refused(NULL, "FILCH_ASK is 'loudly', but must be signal or poll");
}

static void test_variables(void **state)
{
	const char *allowed = "";
	unsigned n = 0;

	(void)state;
	assert_string_equal(filch_pool_variable(0, &allowed), "FILCH_WORKERS");
	assert_string_equal(allowed, "a number from 1 to 1024");
	for (; filch_pool_variable(n, &allowed); n++) {
		assert_true(strlen(allowed) > 5);
		allowed = "";
	}
	assert_int_equal(n, 15);
	assert_null(filch_pool_variable(UINT32_MAX, &allowed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_defaults, clear, forget),
		cmocka_unit_test_setup_teardown(test_sources, clear, forget),
		cmocka_unit_test_setup_teardown(test_topology, clear, forget),
		cmocka_unit_test_setup_teardown(test_io, clear, forget),
		cmocka_unit_test_setup_teardown(test_refused, clear, forget),
		cmocka_unit_test_setup_teardown(test_variables, clear, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
