/* SPDX-License-Identifier: MIT */
/*
 * What a spawned task is in memory. Included by filch/task.h; nothing here is for users.
 *
 * A record lies in the frame of its spawner and is linked nowhere. Its mark is a number
 * that occurs nowhere else on a stack, so that the runtime finds the records of a strand
 * by looking through its stack, which it does only when somebody is hungry. See
 * src/sched/README.md, "Records".
 */
#ifndef FILCH_RECORD_H
#define FILCH_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch__record;
struct filch_group;

/* What the runtime knows of a task: one for every FILCH_TASK, in a section of its own. */
struct filch__task {
	const char *name;
	void (*run)(struct filch__record *); /* calls it, and keeps its result */
	size_t size;                         /* of its records */
	void (*function)(void); /* itself, to be named by a debugger; that its address is
	                         * taken also has gcc split it, and inline the recursion */
};

struct filch__record {
	uint32_t mark;  /* written by its strand alone */
	uint32_t where; /* the low half of its address, on processors that need it */
	const struct filch__task *task;
	/* From its exposure on: */
	uintptr_t sync;            /* see src/sched/record.h */
	struct filch_group *group; /* that it belongs to, or NULL */
};

/* Marks. Their differences are all different, too: a join subtracts what it expects, in
 * one instruction, and what is left tells what it found. */
#define FILCH__LIVE 0x711c4a6d    /* spawned, private */
#define FILCH__HUNGRY 0x5b0e9d37  /* never a mark: joins expect it while somebody asks */
#define FILCH__EXPOSED 0x2f63e58b /* within the reach of thieves, or in their hands */

/* Tells the runtime where this program or library has its struct filch__task. */
void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop);
void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop);

/* Joins a record that is not simply private: runs it, or waits for it. */
void filch__join_slow(struct filch__record *r);

/* Eager mode: puts the record into its strand's queue. */
void filch__spawn_eager(struct filch__record *r);

/* Runs a record that was not spawned on a pool (NULL: the default pool) and waits. */
struct filch_pool;
void filch__run(struct filch_pool *pool, struct filch__record *r);

/* The frame is left without a join, by a C++ exception: drops the task, or waits for the
 * thief that runs it. */
void filch__abandon(struct filch__record *r);

/* Checks of FILCH_DEBUG builds. */
void filch__check_left(void *frame);
void filch__check_spawn(struct filch__record *r);
void filch__check_join(struct filch__record *r);

/* What a polling join adds: minus FILCH__LIVE, or minus FILCH__HUNGRY while somebody asks.
 * Minus, since FILCH__LIVE itself may not be in a register. */
#define FILCH__MINUS_LIVE (0u - FILCH__LIVE)
extern uint32_t filch__expected;

#ifdef __cplusplus
}
#endif

#endif
