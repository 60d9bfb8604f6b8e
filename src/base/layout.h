/* SPDX-License-Identifier: MIT */
/*
 * Where things lie in memory, for debuggers: with these tables tools/filch-gdb.py needs
 * no debug information of the library itself.
 */
#ifndef FILCH_BASE_LAYOUT_H
#define FILCH_BASE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* The offset of a member ("filch__strand.state"), the size of a struct, or a constant. */
struct filch__layout {
	char name[44]; /* empty: the table ends here */
	uint32_t value;
};

/* Initialisers for one entry, to be put in braces. */
#define FILCH__LAYOUT_AT(type, member) #type "." #member, offsetof(struct type, member)
#define FILCH__LAYOUT_SIZE(type) #type, sizeof(struct type)
#define FILCH__LAYOUT_VALUE(name) #name, (name)

/* The main table, and the pools to begin with. Defined in src/observe. */
struct filch__pool_whole;

struct filch__debug {
	struct filch__pool_whole *pools; /* newest first; pool.c's, under its lock */
	struct filch__layout layout[96]; /* ends with an empty one */
};

extern struct filch__debug filch__debug;

/* For a definition that a debugger finds by its name, even where most others are
 * stripped. */
#define FILCH__FOR_DEBUGGERS __attribute__((used, visibility("default")))

#endif
