/* SPDX-License-Identifier: MIT */
/* A plain stack that grows: for marking by one thread, and for what finds a queue full. */
#ifndef FILCH_BENCH_GC_STACK_H
#define FILCH_BENCH_GC_STACK_H

#include <stdlib.h>

#include "base/cpu.h"
#include "bench/rounds.h"
#include "queue/queue.h"

struct gc_stack {
	filch_entry *entry;
	size_t n, room;
};

static FILCH_COLD void gc_stack_grow(struct gc_stack *s)
{
	s->room = s->room ? 2 * s->room : 1024;
	s->entry = realloc(s->entry, s->room * sizeof *s->entry);
	if (!s->entry)
		rounds_fail("there is not enough memory for a stack");
}

static inline void gc_stack_put(struct gc_stack *s, filch_entry e)
{
	if (FILCH_UNLIKELY(s->n == s->room))
		gc_stack_grow(s);
	s->entry[s->n++] = e;
}

#endif
