/* SPDX-License-Identifier: MIT */
/* What the ways to start a task cost, on one worker, in nanoseconds each (on stderr, since they
 * are never the same twice): the least of several rounds, which take turns. */
#include <filch.h>
#include <stdio.h>

#define TASKS 1000
#define FUTURES 50
#define ROUNDS 20

FILCH_TASK_VOID(count, (long *, counter))
{
	/* The one worker runs them one by one; as far as the program says, they are parallel. */
	long n = __atomic_load_n(counter, __ATOMIC_RELAXED);

	__atomic_store_n(counter, n + 1, __ATOMIC_RELAXED);
}

FILCH_TASK_VOID(by_calls, (long *, counter))
{
	void (*volatile function)(long *) = count; /* so that the calls are made */

	for (int i = 0; i < TASKS; i++)
		function(counter);
}

FILCH_TASK_VOID(by_spawns, (long *, counter))
{
	for (int i = 0; i < TASKS; i++) {
		FILCH_SPAWN(x, count, counter);
		FILCH_JOIN(x);
	}
}

FILCH_TASK_VOID(by_array, (long *, counter))
{
	FILCH_FRAME(count) part[TASKS];

	for (int i = 0; i < TASKS; i++)
		FILCH_SPAWN_AT(&part[i], count, counter);
	for (int i = TASKS; i-- > 0;)
		FILCH_JOIN_AT(&part[i], count);
}

FILCH_TASK_VOID(by_group, (long *, counter))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < TASKS; i++)
		FILCH_GROUP_SPAWN(&g, count, counter);
	filch_group_wait(&g);
}

FILCH_TASK_VOID(by_futures, (long *, counter))
{
	struct filch_future *f[FUTURES];

	for (int i = 0; i < FUTURES; i++)
		f[i] = FILCH_GO(count, counter);
	filch_await_all(f, FUTURES);
	for (int i = 0; i < FUTURES; i++)
		filch_future_drop(f[i]);
}

#define WAYS 5

static const struct {
	const char *name;
	void (*run)(long *);
	int tasks;
} way[WAYS] = {{"call", by_calls, TASKS},
               {"FILCH_SPAWN", by_spawns, TASKS},
               {"FILCH_SPAWN_AT", by_array, TASKS},
               {"FILCH_GROUP_SPAWN", by_group, TASKS},
               {"FILCH_GO", by_futures, FUTURES}};

FILCH_TASK_VOID(measure, (long *, counter), (uint64_t *, least))
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WAYS; i++) {
			uint64_t took, begin = filch_now();

			way[i].run(counter);
			took = filch_now() - begin;
			if (round == 0 || took < least[i])
				least[i] = took;
		}
}

int main(void)
{
	struct filch_pool_options one = {.workers = 1};
	struct filch_pool *pool;
	uint64_t least[WAYS];
	long counter = 0;

	if (filch_pool_create(&pool, &one, NULL))
		return 1;
	FILCH_RUN_ON(pool, measure, &counter, least);
	filch_pool_destroy(pool);
	for (int i = 0; i < WAYS; i++)
		fprintf(stderr, "%8.1f ns  %s\n", (double)least[i] / way[i].tasks,
		        way[i].name);
	printf("%ld tasks\n", counter);
}
