/* SPDX-License-Identifier: MIT */
/*
 * Marking: from the roots to everything that can be reached, by several threads, each
 * with a queue of objects that are marked and not yet scanned.
 */
#ifndef FILCH_BENCH_GC_MARK_H
#define FILCH_BENCH_GC_MARK_H

#include "bench/gc/heap.h"
#include "queue/queue.h"

struct gc_run {
	struct gc_heap *heap;
	struct filch_queue_options queue;
	size_t markers; /* threads */
	size_t cycles;  /* how often the heap is marked, and swept */
};

struct gc_result {
	double seconds;      /* of marking once, the median */
	uint64_t steals;     /* of all cycles */
	uint64_t overflowed; /* objects that found the queue full, of all cycles */
};

/* Marks the heap so often; every time, all that is live is marked and nothing else, or
 * the command ends. */
typedef struct gc_result gc_marking(const struct gc_run *run);
gc_marking gc_mark_bwos_lifo, gc_mark_chase_lev, gc_mark_abp, gc_mark_locked;

/* Marks by one thread, with a plain stack and no atomic read-modify-write. Returns the
 * number of references found in live objects. */
uint64_t gc_mark_serial(struct gc_heap *h);

#endif
