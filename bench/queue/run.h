/* SPDX-License-Identifier: MIT */
/*
 * The queue suite: one queue, its owner and its thieves. Workloads are written once, in
 * kind.inc.h, and compiled for every kind; a table of them stands in kinds.c.
 */
#ifndef FILCH_BENCH_QUEUE_RUN_H
#define FILCH_BENCH_QUEUE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "queue/queue.h"

#define LATENCY_BINS 4096 /* of 2 ns each; the last one holds the rest */

/* How a thief spaces its steals: so that a share of the entries is stolen, or by
 * frequency. It adapts while it runs and is kept from slice to slice. */
struct pace {
	alignas(FILCH_LINE) double share; /* wanted part of the entries; 0: as often as possible */
	double hz;                        /* wanted steals a second, instead of share */
	double idle;                      /* turns of an empty loop between two steals */
	double ticks_ns;                  /* ticks a nanosecond */
	size_t batch; /* entries a steal may take; grows if single ones fall short */
	size_t batch_most;
};

/* What one slice did. */
struct slice {
	double seconds;
	uint64_t puts, gets;
	uint64_t stolen;          /* entries */
	uint64_t ok, empty, lost; /* steals that took some, found nothing, lost a race */
	filch_entry
		check; /* sum of what came in less what went out; 0 when all is well */
	uint64_t latency[LATENCY_BINS];
};

/* Shared by the owner and the thieves of a slice. */
struct stage {
	alignas(FILCH_LINE) _Atomic(uint64_t) puts;  /* the owner's count, now and then */
	alignas(FILCH_LINE) _Atomic(uint64_t) stop;  /* set by the owner */
	alignas(FILCH_LINE) _Atomic(uint64_t) ready; /* thieves that have started */
	alignas(FILCH_LINE) _Atomic(uint64_t) done;  /* spine: entries run by thieves */
};

struct queue_kind {
	const char *name;
	bool can_steal; /* thieves take what they get (not so: ideal, watched) */
	/* The owner fills the queue with `capacity` entries and drains it, for `ns`,
	 * against `thieves` threads paced as told, or alone. `place` picks one of the
	 * loop's copies. */
	void (*fill_drain)(const struct filch_queue_options *, size_t thieves,
	                   struct pace *, uint64_t ns, size_t place, struct slice *);
	/* A LIFO owner that never holds more than 30 entries of `spin` turns of work
	 * each, and one thief that runs what it steals, until `items` have run. Returns
	 * seconds. */
	double (*spine)(const struct filch_queue_options *, size_t items, uint64_t spin,
	                uint64_t *stolen);
};

extern const struct queue_kind queue_kinds[];
extern const size_t queue_kinds_n;

const struct queue_kind *queue_kind_find(const char *name);

/* A loop of ten instructions runs up to a third faster or slower by where it lies in its
 * cache lines. So the owner's loops are compiled at four offsets, and the rounds take
 * turns: medians then compare queues, not the linker's luck. */
#if defined(__OPTIMIZE__) && defined(__x86_64__)
#define BENCH_PLACE(offset) \
	__asm__ volatile(".p2align 6\n\t.skip %c0, 0x90" ::"i"(offset))
#else
#define BENCH_PLACE(offset) ((void)(offset))
#endif

/* Turns of an empty loop. */
static inline void spin_turns(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("");
}

/* Adapts a pace to what happened since it was last adapted. */
void pace_adapt(struct pace *p, uint64_t puts, uint64_t stolen, uint64_t steals,
                double ns);

/* What the kinds' templates share. */
struct thief_job {
	void *queue;
	struct stage *stage;
	struct pace *pace;
	uint64_t seed;
	struct slice result;
};

typedef void owner_fn(void *queue, struct stage *, uint64_t ns, size_t capacity,
                      struct slice *);

void run_with_thieves(void *queue, size_t thieves, struct pace *pace, struct slice *out,
                      void *(*thief)(void *), owner_fn *owner, uint64_t ns,
                      size_t capacity);

_Noreturn void bench_fatal(const char *what, const char *kind);

#endif
