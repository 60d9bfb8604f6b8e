/* SPDX-License-Identifier: MIT */
#include "bench/gc/heap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "bench/gc/mark.h"
#include "bench/rounds.h"

#define MEMORY_MOST ((size_t)8 << 30)
#define BYTES_AN_EDGE 32 /* more than any shape takes */
#define LIST_NODES 1000
#define ARRAY_REFERENCES 4096
#define GARBAGE 8 /* one list, array or object in so many, where it is on purpose */

/* ---- objects ---- */

static size_t object_bytes(uint32_t count)
{
	size_t n = sizeof(struct gc_object) + count * sizeof(uint32_t);

	return (n + GC_GRANULE - 1) / GC_GRANULE * GC_GRANULE;
}

static uint32_t allocate(struct gc_heap *h, uint32_t count)
{
	uint32_t ref = (uint32_t)(h->used / GC_GRANULE);

	if (h->size - h->used < object_bytes(count))
		rounds_fail("the heap is too small for its shape");
	gc_object_at(h->base, ref)->count = count;
	h->used += object_bytes(count);
	return ref;
}

static void set(struct gc_heap *h, uint32_t object, uint32_t field, uint32_t to)
{
	gc_object_at(h->base, object)->ref[field] = to;
}

/* ---- shapes ---- */

static void build_lists(struct gc_heap *h, size_t edges)
{
	size_t lists = edges / (2 * LIST_NODES) + 1;

	h->root = rounds_allocate(lists, sizeof *h->root);
	for (size_t i = 0; i < lists; i++) {
		uint32_t first = 0;

		/* From the last to the first, as lists are made. */
		for (size_t k = 0; k < LIST_NODES; k++) {
			uint32_t item = allocate(h, 0), node = allocate(h, 2);

			set(h, node, 0, first);
			set(h, node, 1, item);
			first = node;
		}
		if (i % GARBAGE != GARBAGE - 1)
			h->root[h->roots++] = first;
	}
}

/* In the order of a recursive constructor. */
static uint32_t build_subtree(struct gc_heap *h, size_t nodes)
{
	size_t left = (nodes - 1) / 2;
	uint32_t node = allocate(h, 2);

	if (nodes % GARBAGE == GARBAGE - 1)
		set(h, allocate(h, 1), 0, node); /* something that was for the moment */
	if (left)
		set(h, node, 0, build_subtree(h, left));
	if (nodes - 1 - left)
		set(h, node, 1, build_subtree(h, nodes - 1 - left));
	return node;
}

static void build_tree(struct gc_heap *h, size_t edges)
{
	h->root = rounds_allocate(1, sizeof *h->root);
	h->root[h->roots++] = build_subtree(h, edges + 1);
}

static void build_wide(struct gc_heap *h, size_t edges)
{
	size_t arrays = edges / ARRAY_REFERENCES + 1;

	h->root = rounds_allocate(arrays, sizeof *h->root);
	for (size_t i = 0; i < arrays; i++) {
		uint32_t array = allocate(h, ARRAY_REFERENCES);

		for (uint32_t k = 0; k < ARRAY_REFERENCES; k++)
			set(h, array, k, allocate(h, 0));
		if (i % GARBAGE != GARBAGE - 1)
			h->root[h->roots++] = array;
	}
}

static void build_random(struct gc_heap *h, size_t edges)
{
	struct filch__random r = filch__random_seed(1);
	size_t n = edges / 6 / GARBAGE * GARBAGE + GARBAGE;
	uint32_t *object = rounds_allocate(n, sizeof *object);

	for (size_t i = 0; i < n; i++)
		object[i] = allocate(h, 4 + (uint32_t)filch__random_below(&r, 5));
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < gc_object_at(h->base, object[i])->count; k++) {
			size_t to = filch__random_below(&r, n);

			/* Only garbage refers to garbage. */
			if (i % GARBAGE && to % GARBAGE == 0)
				to++;
			set(h, object[i], k, object[to]);
		}
	h->roots = 64;
	h->root = rounds_allocate(h->roots, sizeof *h->root);
	for (size_t i = 0; i < h->roots; i++)
		h->root[i] = object[filch__random_below(&r, n / GARBAGE) * GARBAGE + 1];
	free(object);
}

/* How many references an object of a program has. */
static uint32_t mixed_count(struct filch__random *r)
{
	uint64_t kind = filch__random_below(r, 100);

	if (kind < 30)
		return 0;
	if (kind < 85)
		return 1 + (uint32_t)filch__random_below(r, 4);
	if (kind < 99)
		return 5 + (uint32_t)filch__random_below(r, 4);
	return 64 + (uint32_t)filch__random_below(r, 256);
}

/* The object that a reference of the i-th goes to: older, and as a rule not much. */
static size_t mixed_target(struct filch__random *r, size_t i)
{
	uint64_t kind = filch__random_below(r, 8);
	size_t near = i < 256 ? i : 256;

	return kind == 0 ? filch__random_below(r, i)
	                 : i - 1 - filch__random_below(r, near);
}

/* Garbage is what nobody happens to refer to. */
static void build_mixed(struct gc_heap *h, size_t edges)
{
	struct filch__random r = filch__random_seed(1);
	size_t n = edges / 3 + 256;
	uint32_t *object = rounds_allocate(n, sizeof *object);

	for (size_t i = 0; i < n; i++) {
		uint32_t count = i ? mixed_count(&r) : 0;

		object[i] = allocate(h, count);
		for (uint32_t k = 0; k < count; k++)
			if (filch__random_below(&r, 4)) /* a quarter are null */
				set(h, object[i], k, object[mixed_target(&r, i)]);
	}
	h->roots = 64;
	h->root = rounds_allocate(h->roots, sizeof *h->root);
	for (size_t i = 0; i < h->roots; i++)
		h->root[i] = object[n - 1 - i];
	free(object);
}

/* ---- heaps ---- */

/* Clears all marks, and says which there were. */
static struct gc_census sweep(struct gc_heap *h)
{
	struct gc_census found = {0};

	for (size_t at = GC_GRANULE; at < h->used;) {
		struct gc_object *o = (struct gc_object *)(h->base + at);

		if (load_rlx(&o->mark)) {       /* nobody marks now */
			store_rlx(&o->mark, 0); /* as above */
			found.objects++;
			found.sum += at;
		}
		at += object_bytes(o->count);
	}
	return found;
}

void gc_heap_build(struct gc_heap *h, enum gc_shape shape, size_t edges)
{
	static void (*const build[])(struct gc_heap *, size_t) = {
		[GC_LISTS] = build_lists, [GC_TREE] = build_tree,
		[GC_WIDE] = build_wide,   [GC_RANDOM] = build_random,
		[GC_MIXED] = build_mixed,
	};
	size_t most = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;

	if (most > MEMORY_MOST)
		most = MEMORY_MOST;
	if (edges > most / BYTES_AN_EDGE)
		edges = most / BYTES_AN_EDGE;
	*h = (struct gc_heap){.size = edges * BYTES_AN_EDGE + (1 << 20),
	                      .used = GC_GRANULE};
	h->base = mmap(NULL, h->size, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (h->base == MAP_FAILED)
		rounds_fail("there is not enough memory for the heap");
	(void)madvise(h->base, h->size, MADV_HUGEPAGE); /* refused: then small ones */
	build[shape](h, edges);
	h->edges = gc_mark_serial(h);
	h->live = sweep(h);
}

void gc_heap_free(struct gc_heap *h)
{
	if (h->base)
		munmap(h->base, h->size);
	free(h->root);
	*h = (struct gc_heap){0};
}

void gc_heap_check(struct gc_heap *h)
{
	struct gc_census marked = sweep(h);

	rounds_check(marked.objects == h->live.objects && marked.sum == h->live.sum);
}
