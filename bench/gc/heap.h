/* SPDX-License-Identifier: MIT */
/*
 * A synthetic heap: objects of nothing but a header and references, one after the other,
 * as they were allocated. Part of every heap is garbage, which marking must not reach.
 */
#ifndef FILCH_BENCH_GC_HEAP_H
#define FILCH_BENCH_GC_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

/* Objects begin at multiples of this many bytes, and references count in them, so that 32
 * bits are enough, as in Java's heaps. 0: none. */
#define GC_GRANULE 16

struct gc_object {
	_Atomic(uint32_t) mark;
	uint32_t count; /* of references */
	uint32_t ref[];
};

enum gc_shape {
	GC_LISTS,  /* lists of 1000 nodes, each with an item */
	GC_TREE,   /* one binary tree */
	GC_WIDE,   /* arrays of 4096 references to objects without any */
	GC_RANDOM, /* 4 to 8 references to anywhere */
	GC_MIXED,  /* small objects and some arrays; most references go to neighbours */
};

/* What can be reached, or was marked. */
struct gc_census {
	uint64_t objects, sum; /* sum: of their places */
};

struct gc_heap {
	char *base;
	size_t size, used; /* bytes */
	uint32_t *root;
	size_t roots;
	struct gc_census live;
	uint64_t edges; /* references in live objects */
};

/* Makes a heap with about so many edges; fewer if it would take more than half of the
 * memory, or 8 GiB. */
void gc_heap_build(struct gc_heap *h, enum gc_shape shape, size_t edges);
void gc_heap_free(struct gc_heap *h);

/* Clears all marks; ends the command if they were not on all that is live, or on anything
 * else. */
void gc_heap_check(struct gc_heap *h);

static inline struct gc_object *gc_object_at(char *base, uint32_t ref)
{
	return (struct gc_object *)(base + (size_t)ref * GC_GRANULE);
}

#endif
