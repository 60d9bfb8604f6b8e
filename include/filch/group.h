/* SPDX-License-Identifier: MIT */
/*
 * Groups: any number of tasks that are waited for together (finish and async).
 *
 *   struct filch_group g;
 *
 *   filch_group_begin(&g);
 *   for (node = list; node; node = node->next)
 *       FILCH_GROUP_SPAWN(&g, visit, node);      a task whose result is not needed
 *   if (filch_group_wait(&g) == -ECANCELED) ...
 *
 * A task of the group may spawn more tasks into it. Cancelling is cooperative: tasks that
 * have not begun are dropped, tasks that run call filch_group_cancelled() when they like,
 * and tasks that wait (for I/O, in a sleep, a channel, ...) resume with -ECANCELED. A
 * group begun by a task of another group is cancelled together with that group.
 *
 * Every group that is begun must be waited for before its scope ends: its tasks write to
 * it. A group that is forgotten ends the program with a message, at the latest when the
 * task that has begun it returns, if it lies on the stack.
 *
 * In C++ a task of a group may throw. This cancels the group, and filch_group_wait()
 * throws the first exception again when all tasks are done; further ones are dropped. An
 * exception may also leave the scope of a group: the group is then cancelled and waited
 * for, and what its tasks throw is dropped.
 */
#ifndef FILCH_GROUP_H
#define FILCH_GROUP_H

#include <filch/detail/record.h>
#include <filch/detail/wait.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_group;
struct filch_pool;
struct filch__strand;

/* A group of which the scope ends between begin and wait, in C++: cancels it and waits
 * for it if an exception leaves the scope; otherwise ends the program with a message. */
void filch__group_left(struct filch_group *g);
#ifdef __cplusplus
#define FILCH__NOT_BEGUN = 0
#else
#define FILCH__NOT_BEGUN
#endif

/* All fields belong to the runtime. Lifetime: until filch_group_wait() has returned. */
struct filch_group {
	uintptr_t pending;  /* tasks, and one for the strand that will wait */
	uintptr_t waiter;   /* the strand that waits */
	uint32_t cancelled; /* filch_group_cancel() was called */
	uint32_t begun FILCH__NOT_BEGUN; /* filch_group_begin() was called */
	struct filch_group *parent;
	struct filch_pool *pool; /* the pool that it was begun on */
	struct filch__lock lock; /* protects the fields below: */
	uint32_t known;          /* the parent's list holds this group */
	struct filch__list waits;
	struct filch__list inner;   /* groups begun in it in which a strand waits */
	struct filch__link sibling; /* in the parent's `inner`, under the parent's lock */
	struct filch__strand *home; /* the strand in whose frames it lies, or NULL */
	struct filch_group *older;  /* begun before it in these frames */
	struct filch__thrown
		*thrown; /* what a task threw first, or NULL; tasks write it */
#ifdef __cplusplus
	~filch_group()
	{
		if (begun)
			filch__group_left(this);
	}
#endif
};

/* Begins a group. Caller, as for FILCH_GROUP_SPAWN and filch_group_wait(): a strand. */
void filch_group_begin(struct filch_group *g);

/* Waits for all tasks of the group, and runs those that no other worker has taken. The
 * group may be begun again afterwards. Returns 0, or -ECANCELED if the group was
 * cancelled. If tasks have thrown, C++ callers get the first exception; in C, and without
 * exceptions, it is dropped. */
#if !defined(__cplusplus) || !defined(__cpp_exceptions)
int filch_group_wait(struct filch_group *g);
#endif

/* Caller: any thread, any number of times. */
void filch_group_cancel(struct filch_group *g);
bool filch_group_cancelled(const struct filch_group *g);

/* Returns true if the group or future that the calling task belongs to is cancelled. */
bool filch_cancelled(void);

/* Spawns a task into the group. The value is 0, or -ECANCELED if the group is cancelled
 * and nothing was spawned. If there is no memory, the task runs at once. */
#define FILCH_GROUP_SPAWN(group, task, ...)                                 \
	__extension__({                                                     \
		FILCH_FRAME(task) filch__f;                                 \
                                                                            \
		task##__set(&filch__f.head, ##__VA_ARGS__);                 \
		FILCH__GROUP_SPAWN(group, &filch__f.head, sizeof filch__f); \
	})

/* Spawn a copy of the record; the second does so eagerly: thieves see the task at
 * once. */
int filch__group_spawn(struct filch_group *g, const struct filch__record *r, size_t size);
int filch__group_spawn_eager(struct filch_group *g, const struct filch__record *r,
                             size_t size);

/* Waits as filch_group_wait() does. *thrown is what a task threw first, or NULL; the
 * caller throws it again or drops it. */
int filch__group_wait(struct filch_group *g, struct filch__thrown **thrown);

#ifdef FILCH_EAGER
#define FILCH__GROUP_SPAWN filch__group_spawn_eager
#else
#define FILCH__GROUP_SPAWN filch__group_spawn
#endif

#ifdef __cplusplus
}

#ifdef __cpp_exceptions
inline int filch_group_wait(struct filch_group *g)
{
	struct filch__thrown *thrown = nullptr;
	int result = filch__group_wait(g, &thrown);

	if (thrown)
		thrown->throw_again(thrown);
	return result;
}
#endif
#endif

#endif
