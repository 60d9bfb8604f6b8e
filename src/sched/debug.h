/* SPDX-License-Identifier: MIT */
/*
 * For debuggers: the pools there are, and where things lie in memory. With this a debugger
 * needs no debug information of the library itself. tools/filch-gdb.py reads it.
 */
#ifndef FILCH_SCHED_DEBUG_H
#define FILCH_SCHED_DEBUG_H

#include <stddef.h>
#include <stdint.h>

/* The offset of a member ("filch__strand.state"), the size of a struct, or a constant. */
struct filch__layout {
	char name[44]; /* empty: the last one */
	uint32_t value;
};

/* Initialisers for one, in braces. */
#define FILCH__LAYOUT_AT(type, member) #type "." #member, offsetof(struct type, member)
#define FILCH__LAYOUT_SIZE(type) #type, sizeof(struct type)
#define FILCH__LAYOUT_VALUE(name) #name, (name)

/* Of a definition: it is found by its name, also where most others are stripped. */
#define FILCH__FOR_DEBUGGERS __attribute__((used, visibility("default")))

struct filch_pool;

struct filch__debug {
	struct filch_pool *pools;        /* newest first; under the lock in pool.c */
	struct filch__layout layout[96]; /* ends with an empty one */
};

extern struct filch__debug filch__debug;

#endif
