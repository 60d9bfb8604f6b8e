/* SPDX-License-Identifier: MIT */
/*
 * How large the stacks of a pool are unless they are told otherwise.
 *
 * A recursion that fits into the main thread's stack should fit into a strand's. So the
 * size follows the limit of the process (ulimit -s), eight times over, because a function
 * that spawns has larger frames than a plain one: its records lie there. With gcc 12 and
 * clang 14, from -O0 to -O3, minimal recursions grow from 16 to 64 bytes per level (4
 * times), from 32 to 160 (5 times), from 80 to 192 (2.4 times) and, at -O0, from 32 to 272
 * (8.5 times). The more a function has in its frame, the less its records add.
 *
 * This is address space; memory is what was touched. But a stack that lies alone in 2 MiB
 * costs a page table of 4 KiB, as much again as the one page that a strand which waits
 * has touched. So futures, of which a program may have a hundred thousand that wait, have
 * stacks of 1 MiB, two in a page table.
 */
#ifndef FILCH_POOL_DEPTH_H
#define FILCH_POOL_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stack of a future, and the least that the default for other strands can be. */
#define FILCH__STACK_SHALLOW ((size_t)1 << 20)

/* The limits of this process that concern stacks. */
struct filch__limits {
	uint64_t stack; /* of the main thread's stack; UINT64_MAX: none */
	uint64_t space; /* of its address space; UINT64_MAX: none */
	bool strict;    /* the system counts reserved memory as used */
};

void filch__limits_read(struct filch__limits *l);

/* Returns the default size of a stack under these limits. */
size_t filch__stack_size_for(const struct filch__limits *l);

#endif
