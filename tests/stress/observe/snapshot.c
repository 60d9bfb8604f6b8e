/* SPDX-License-Identifier: MIT */
/*
 * Somebody looks all the time, while strands begin, stop, go on and end, stacks are made,
 * pools and tasks come and go: what is looked at is there, and nothing goes wrong.
 */
#include "pool/above.h"

#include <filch.h>
#include <filch/future.h>
#include <pthread.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/test.h"

#define SOME 50

static _Atomic(bool) over;
static _Atomic(uint64_t) looks, wrong;

static const struct filch__task passing[] = {{"passing", NULL, 16, NULL}};

/* Looks, and counts what does not look like a snapshot. */
static void *look(void *arg)
{
	while (!load_rlx(&over)) { /* a flag only */
		struct filch__text t = {0};

		filch__snapshot(&t);
		if (t.failed || strncmp(t.at, "{\"pid\":", 7) ||
		    strcmp(t.at + t.length - 2, "]}"))
			add_rlx(&wrong, 1); /* a count */
		add_rlx(&looks, 1);         /* a count */
		filch__text_free(&t);
	}
	return arg;
}

FILCH_STATIC_TASK_VOID(nap, (unsigned, us))
{
	filch_sleep(us * FILCH_US);
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK_VOID(work, (int, n))
{
	struct filch_future *f[SOME];
	struct filch_group g;

	filch_group_begin(&g);
	for (unsigned i = 0; i < SOME; i++) {
		f[i] = FILCH_GO(nap, i % 7 * 10);
		FILCH_GROUP_SPAWN(&g, nap, i % 5 * 10);
	}
	FILCH_CALL(fib, n);
	filch_group_wait(&g);
	for (int i = 0; i < SOME; i++) {
		filch_await(f[i]);
		filch_future_drop(f[i]);
	}
}

static void looked_at(void **state)
{
	const unsigned sizes[] = {1, 2, 6};
	pthread_t watcher[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&watcher[i], NULL, look, NULL), 0);
	for (size_t round = 0; round < test_scaled(120); round++) {
		struct filch_pool_options o = {.workers = sizes[round % 3]};
		struct filch_pool *p;
		uint64_t secret;

		filch__register_tasks(passing, passing + 1, 0, &secret);
		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		FILCH_RUN_ON(p, work, 15);
		assert_int_equal(filch_pool_destroy(p), 0);
		filch__unregister_tasks(passing, passing + 1, &secret);
	}
	store_rlx(&over, true); /* a flag only */
	for (int i = 0; i < 2; i++)
		pthread_join(watcher[i], NULL);
	assert_int_equal(load_rlx(&wrong), 0); /* all have ended */
	assert_true(load_rlx(&looks) > 0);     /* as above */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(looked_at)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
