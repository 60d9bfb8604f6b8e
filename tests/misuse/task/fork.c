/* SPDX-License-Identifier: MIT */
/*
 * Tasks that fork and return in the child, which has no workers: the child ends with a
 * sentence, wherever it comes back to the runtime.
 */
#include <filch.h>
#include <filch/future.h>
#include <time.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "tests/child.h"

#define RETURNS "filch: fork: a task that has forked must not return in the child"

/* The parent waits for its child, and ends as that did. */
static void fork_here(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		signal(SIGABRT, keep_counts);
		return;
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		signal(WTERMSIG(status), SIG_DFL), raise(WTERMSIG(status));
	_exit(1);
}

FILCH_STATIC_TASK(int, forks)
{
	fork_here();
	return 0;
}

FILCH_STATIC_TASK_VOID(group_of_one)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, forks);
	filch_group_wait(&g);
}

/* The task is still there when the strand that spawned it ends: the group is another's. */
FILCH_STATIC_TASK_VOID(spawns_for, (struct filch_group *, g))
{
	FILCH_GROUP_SPAWN(g, forks);
}

FILCH_STATIC_TASK_VOID(left_over)
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, spawns_for, &g);
	filch_sleep(FILCH_MS);
	filch_group_wait(&g);
}

FILCH_STATIC_TASK_VOID(forks_with_a_group)
{
	struct filch_group g;

	filch_group_begin(&g);
	fork_here();
	filch_group_wait(&g);
}

static _Atomic(bool) begun;

FILCH_STATIC_TASK(int, begins)
{
	store_rlx(&begun, true); /* polled */
	return 0;
}

FILCH_STATIC_TASK(int, forks_when_stolen_from)
{
	struct timespec t = {0, 100000};

	FILCH_SPAWN(part, begins);
	while (!load_rlx(&begun)) /* polled */
		nanosleep(&t, NULL);
	fork_here();
	return FILCH_JOIN(part);
}

static struct filch_pool *pool_of(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers, .ask = "signal"};
	struct filch_pool *p;

	return filch_pool_create(&p, &o, NULL) ? NULL : p;
}

static void from_the_first_task(void)
{
	FILCH_RUN_ON(pool_of(1), forks);
}

static void from_a_group(void)
{
	FILCH_RUN_ON(pool_of(1), group_of_one);
}

static void from_a_task_that_was_left(void)
{
	FILCH_RUN_ON(pool_of(1), left_over);
}

static void from_a_future(void)
{
	filch_await(FILCH_GO_ON(pool_of(1), forks));
}

static void to_its_own_group(void)
{
	FILCH_RUN_ON(pool_of(1), forks_with_a_group);
}

static void to_what_was_stolen(void)
{
	FILCH_RUN_ON(pool_of(2), forks_when_stolen_from);
}

static void returning(void **state)
{
	(void)state;
	ends_with(from_the_first_task, SIGABRT, RETURNS);
	ends_with(from_a_group, SIGABRT, RETURNS);
	ends_with(from_a_task_that_was_left, SIGABRT, RETURNS);
	ends_with(from_a_future, SIGABRT, RETURNS);
}

static void waiting(void **state)
{
	(void)state;
	if (!FILCH__TSAN) /* a task that only computes does not hear a question there */
		ends_with(to_what_was_stolen, SIGABRT,
		          "filch: FILCH_JOIN: task 'begins' is joined by a thread that "
		          "is no worker");
	ends_with(to_its_own_group, SIGABRT,
	          "filch: filch_group_wait: called outside a pool");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returning),
		cmocka_unit_test(waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
