/* SPDX-License-Identifier: MIT */
/*
 * Groups: any number of tasks that are waited for together (finish and async).
 *
 *   struct filch_group g;
 *
 *   filch_group_begin(&g);
 *   for (node = list; node; node = node->next)
 *       FILCH_GROUP_SPAWN(&g, visit, node);      a task whose result nobody needs
 *   if (filch_group_wait(&g) == -ECANCELED) ...
 *
 * A task of the group may spawn more into it. Cancelling is cooperative: tasks that have
 * not begun are dropped, those that run ask filch_group_cancelled() when they like, and
 * those that wait (for I/O, in a sleep, a channel, ...) go on with -ECANCELED. A group begun
 * by a task of another group is cancelled with it.
 */
#ifndef FILCH_GROUP_H
#define FILCH_GROUP_H

#include <filch/record.h>
#include <filch/wait.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_pool;

/* Its fields are the runtime's. Lifetime: until filch_group_wait() has returned. */
struct filch_group {
	uintptr_t pending;  /* tasks, and one for who is to wait */
	uintptr_t waiter;   /* who waits */
	uint32_t cancelled; /* somebody has said so */
	uint32_t begun;     /* filch_group_begin() was called */
	struct filch_group *parent;
	struct filch_pool *pool; /* that it was begun on */
	struct filch__lock lock; /* of what follows: */
	uint32_t known;          /* its parent knows of it */
	struct filch__wait *waits;
	struct filch_group *inner; /* groups begun in it, in which somebody waits */
	struct filch_group *sibling, **link; /* under the parent's lock */
};

/* Caller: a strand, for this, for FILCH_GROUP_SPAWN and for filch_group_wait(). */
void filch_group_begin(struct filch_group *g);

/* Waits for all tasks of the group, and runs those that nobody else has. Then it may be
 * begun again. Returns 0, or -ECANCELED if the group was cancelled. */
int filch_group_wait(struct filch_group *g);

/* Caller: any thread, and any number of times. */
void filch_group_cancel(struct filch_group *g);
bool filch_group_cancelled(const struct filch_group *g);

/* True if the group, or future, that the calling task belongs to is cancelled. */
bool filch_cancelled(void);

/* Spawns into the group. Gives 0; -ECANCELED if the group is cancelled, and nothing is
 * spawned. Without memory the task is run at once. */
#define FILCH_GROUP_SPAWN(group, task, ...)                                 \
	__extension__({                                                     \
		FILCH_FRAME(task) filch__f;                                 \
                                                                            \
		task##__set(&filch__f.head, ##__VA_ARGS__);                 \
		filch__group_spawn(group, &filch__f.head, sizeof filch__f); \
	})

/* Spawns a copy of the record. */
int filch__group_spawn(struct filch_group *g, const struct filch__record *r, size_t size);

#ifdef __cplusplus
}
#endif

#endif
