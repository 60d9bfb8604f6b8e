/* SPDX-License-Identifier: MIT */
/*
 * A spawned task in memory. Part of filch/task.h; nothing here is for users.
 *
 * A record lies in the frame of its spawner and is in no list. Its mark is a number that
 * occurs nowhere else on a stack, so that the runtime finds the records of a strand by
 * searching its stack, which it does only when a worker is hungry. See
 * src/strand/README.md, "Records".
 */
#ifndef FILCH_DETAIL_RECORD_H
#define FILCH_DETAIL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch__record;
struct filch_group;

/* The description of a task for the runtime. Each FILCH_TASK makes one, in a section of
 * its own. */
struct filch__task {
	const char *name;
	void (*run)(struct filch__record *); /* calls the task, and stores its result */
	size_t size;                         /* of its records */
	/* The task itself, so that a debugger can name it. Because its address is taken,
	 * gcc also splits the function and inlines the recursion. */
	void (*function)(void);
};

struct filch__record {
	uint32_t mark;  /* written by its strand alone */
	uint32_t where; /* the low half of its address, on processors that need it */
	const struct filch__task *task;
	/* Used from the exposure of the record on: */
	uintptr_t sync;            /* see src/strand/record.h */
	struct filch_group *group; /* the group that the task belongs to, or NULL */
};

/* Marks. Their differences all differ as well: a join subtracts the mark that it expects,
 * in one instruction, and the remainder tells which mark it found. */
#define FILCH__LIVE 0x711c4a6d    /* spawned, private */
#define FILCH__HUNGRY 0x5b0e9d37  /* never a mark: joins expect it while a worker asks */
#define FILCH__EXPOSED 0x2f63e58b /* thieves can take it, or a thief has it */

/* Tells the runtime where the struct filch__task objects of this program or library
 * are. */
void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop);
void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop);

/* Joins a record that is not simply private: runs it, or waits for it. */
void filch__join_slow(struct filch__record *r);

/* Tells ThreadSanitizer of a spawn, in programs that are compiled with it: their joins call
 * the runtime, which tells it that the task is parallel to what the spawner has done since,
 * even if no thief has taken it. */
void filch__told_spawn(struct filch__record *r);

/* Eager mode: puts the record into the queue of its strand. */
void filch__spawn_eager(struct filch__record *r);

/* Runs a record, which was not spawned, on a pool (NULL: the default pool) and waits for
 * it. */
struct filch_pool;
void filch__run(struct filch_pool *pool, struct filch__record *r);

/* Called when a C++ exception leaves the frame before the join: drops the task, or waits
 * for the thief that runs it. */
void filch__abandon(struct filch__record *r);

/* Checks of FILCH_DEBUG builds. */
void filch__check_left(void *frame);
void filch__check_spawn(struct filch__record *r);
void filch__check_join(struct filch__record *r);

/* The number that a polling join adds: minus FILCH__LIVE, or minus FILCH__HUNGRY while a
 * worker asks for tasks. It is the negative number because FILCH__LIVE itself may not be
 * in a register. */
#define FILCH__MINUS_LIVE (0u - FILCH__LIVE)
extern uint32_t filch__expected;

#ifdef __cplusplus
}
#endif

#endif
