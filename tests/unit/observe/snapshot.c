/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: how they show known strands, by the names that the user has given; how they
 * show names whose library is gone, and names that are not valid text.
 */
#include "pool/above.h"

#include <filch.h>
#include <filch/future.h>
#include <string.h>
#include <unistd.h>

#include "strand/names.h"
#include "tests/test.h"

#define MEMBERS 5

static struct filch_event go = FILCH_EVENT_INIT;
static struct filch_pool *pool;

FILCH_STATIC_TASK_VOID(member, (int, i))
{
	(void)i;
	filch_event_wait(&go);
}

FILCH_STATIC_TASK_VOID(leader, (int, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, member, i);
	filch_group_wait(&g);
}

static void *plain(void *arg)
{
	filch_event_wait(&go);
	return arg;
}

/* Until so many strands have stopped. */
static void stopped(uint64_t n)
{
	struct filch_stats stats;

	do {
		usleep(1000);
		filch_pool_stats(pool, -1, &stats);
	} while (stats.suspended < n);
}

/* Sooner or later: a strand is counted as suspended just before it is. */
static void says(const char *what)
{
	struct filch__text t = {0};

	for (int i = 0; i < 10000; i++) {
		filch__text_free(&t);
		filch__snapshot(&t);
		assert_false(t.failed);
		if (strstr(t.at, what))
			break;
		usleep(1000);
	}
	if (!strstr(t.at, what))
		fail_msg("no %s in %s", what, t.at);
	filch__text_free(&t);
}

/* Futures of tasks and of functions, and tasks of groups, by the names of the user's; when
 * they have ended they are no longer there. */
static void names_and_counts(void **state)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_future *f[3];

	(void)state;
	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	f[0] = FILCH_GO_ON(pool, member, 0);
	f[1] = filch_go_on(pool, plain, NULL);
	stopped(2);
	says("{\"task\":\"member\",\"active\":0,\"suspended\":1,\"resumable\":0}");
	says("{\"task\":\"plain\",\"active\":0,\"suspended\":1,\"resumable\":0}");
	/* The first member runs on the leader's strand, in its wait for them. */
	f[2] = FILCH_GO_ON(pool, leader, MEMBERS);
	stopped(2 + MEMBERS);
	says("{\"task\":\"leader\",\"active\":0,\"suspended\":1,\"resumable\":0}");
	says("{\"task\":\"member\",\"active\":0,\"suspended\":5,\"resumable\":0}");
	filch_event_set(&go);
	for (int i = 0; i < 3; i++) {
		filch_await(f[i]);
		filch_future_drop(f[i]);
	}
	FILCH_RUN_ON(pool, leader, 0);
	while (filch_pool_destroy(pool))
		usleep(1000);
	says("\"pools\":[]}");
}

static void gone(void **state)
{
	static const struct filch__task task[] = {{"one", NULL, 16, NULL},
	                                          {"a longer name", NULL, 16, NULL}};
	const struct filch__task *inside = (const void *)((const char *)task + 8);
	uint64_t secret;

	(void)state;
	assert_string_equal(filch__title_name((uintptr_t)&task[0]).text, "?");
	filch__register_tasks(task, task + 2, 0, &secret);
	assert_string_equal(filch__title_name((uintptr_t)&task[0]).text, "one");
	assert_string_equal(filch__title_name((uintptr_t)&task[1]).text, "a longer name");
	assert_string_equal(filch__title_name((uintptr_t)inside).text, "?");
	filch__unregister_tasks(task, task + 2, &secret);
	assert_string_equal(filch__title_name((uintptr_t)&task[0]).text, "?");
}

static void becomes(const char *s, const char *json)
{
	struct filch__text t = {0};

	filch__text_add_string(&t, s);
	assert_string_equal(t.at, json);
	filch__text_free(&t);
}

static void strings(void **state)
{
	(void)state;
	becomes("", "\"\"");
	becomes("a \"b\" \\ /\n\x7f", "\"a \\u0022b\\u0022 \\u005c /\\u000a\x7f\"");
	becomes("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	becomes("\x80.\xc3.\xe2\x82", "\"\\ufffd.\\ufffd.\\ufffd\\ufffd\"");
	becomes("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* too long for it */
	becomes("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
	becomes("\xf4\x90\x80\x80.\xff", "\"\\ufffd\\ufffd\\ufffd\\ufffd.\\ufffd\"");
}

static void grows(void **state)
{
	struct filch__text t = {0};

	(void)state;
	for (int i = 0; i < 10000; i++)
		filch__text_add(&t, "%05d", i);
	assert_int_equal(t.length, 50000);
	assert_int_equal(strlen(t.at), 50000);
	assert_memory_equal(t.at + 5 * 1234, "01234", 5);
	filch__text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_counts),
		cmocka_unit_test(gone),
		cmocka_unit_test(strings),
		cmocka_unit_test(grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
