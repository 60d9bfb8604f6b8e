/* SPDX-License-Identifier: MIT */
/*
 * A pool of stacks for fibers. See src/fiber/README.md.
 *
 * A worker takes from and gives to its own cache, without locks; the cache trades with
 * the pool by the batch. Memory is reserved by the slab and committed by the page, when
 * it is touched.
 */
#ifndef FILCH_FIBER_STACK_H
#define FILCH_FIBER_STACK_H

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"

#define FILCH__STACK_MIN ((size_t)16 << 10)
#define FILCH__STACK_CACHE 64 /* stacks that a cache keeps */
#define FILCH__SLABS 128

/* How a stack is kept from growing into the stack below it. */
enum filch__guard {
	FILCH__GUARD_MARKER,    /* MADV_GUARD_INSTALL: costs no mapping (Linux 6.13) */
	FILCH__GUARD_PROTECTED, /* mprotect(): costs two mappings per stack */
	FILCH__GUARD_NONE,      /* not at all */
};

/* The header of a stack. It lies at the stack's top end, on the page that is touched
 * first anyway. */
struct filch__stack {
	char *lo, *hi; /* the part that may be used: [lo, hi) */
	struct filch__stack *next;
	struct filch__stacks *pool;
	enum filch__guard guard;
	_Atomic(uint32_t) made; /* 1 when the fields above are set */
};

/* Stacks that were mapped together. The fields are written once, under the pool's lock;
 * signal handlers read them. */
struct filch__slab {
	_Atomic(uintptr_t) lo, end;
};

struct filch__stacks {
	size_t size;     /* of a stack, its header included */
	size_t guard;    /* bytes of guard below it */
	size_t stride;   /* from stack to stack */
	size_t first;    /* stacks in the first slab */
	unsigned refill; /* stacks that a cache takes at once */

	/* The holder of the lock writes and reads these, unless a field says
	 * otherwise. */
	alignas(FILCH_LINE) pthread_mutex_t lock;
	struct filch__stack *free, *trimmed;
	size_t trimmed_count;
	_Atomic(size_t) spare;   /* stacks in `free`; any thread may read it */
	char *fresh, *fresh_end; /* the rest of the newest slab */
	unsigned slabs;
	size_t made;

	/* Any thread may read these, at any time. */
	alignas(FILCH_LINE) _Atomic(unsigned)
		level;               /* enum filch__guard, of the next new stack */
	_Atomic(int) level_why;      /* 0, or the -errno that took the level down */
	_Atomic(size_t) unguarded;   /* stacks that have no guard */
	_Atomic(size_t) guards_most; /* how many may be PROTECTED in this process */

	struct filch__slab slab[FILCH__SLABS];
};

/* A worker's own stacks. Starts as {0}. */
struct filch__stack_cache {
	struct filch__stack *free;
	unsigned count;
};

/* Makes a pool of stacks of `size` bytes, rounded up to pages. Errors: -EINVAL below
 * FILCH__STACK_MIN or when absurdly large, -ENOMEM. */
int filch__stacks_init(struct filch__stacks *p, size_t size);

/* Caller: all stacks are back, and all caches flushed. */
void filch__stacks_destroy(struct filch__stacks *p);

struct filch__stack *filch__stack_take_slow(struct filch__stacks *p,
                                            struct filch__stack_cache *c);
void filch__stack_give_slow(struct filch__stacks *p, struct filch__stack_cache *c);

/* Takes a stack. Returns NULL if the system refuses one: then nothing has changed, and
 * the caller must do without. */
static inline struct filch__stack *filch__stack_take(struct filch__stacks *p,
                                                     struct filch__stack_cache *c)
{
	struct filch__stack *s = c->free;

	if (FILCH_UNLIKELY(!s))
		return filch__stack_take_slow(p, c);
	c->free = s->next;
	c->count--;
	return s;
}

/* Gives a stack back; any worker may do so, whichever worker took it. Caller: makes sure
 * that no fiber is on this stack. */
static inline void filch__stack_give(struct filch__stacks *p,
                                     struct filch__stack_cache *c, struct filch__stack *s)
{
	s->next = c->free;
	c->free = s;
	if (FILCH_UNLIKELY(++c->count > FILCH__STACK_CACHE))
		filch__stack_give_slow(p, c);
}

/* Fills a cache that is empty. Returns false if there is nothing to do, or if the system
 * refuses. Caller: the worker, which has nothing better to do. */
bool filch__stack_prepare(struct filch__stacks *p, struct filch__stack_cache *c);

/* Trims some of the stacks that the pool has, if it has many. Returns false if there is
 * nothing to do. Caller: has nothing better to do. */
bool filch__stacks_tend(struct filch__stacks *p);

/* Gives all stacks of a cache back to the pool. */
void filch__stack_cache_flush(struct filch__stacks *p, struct filch__stack_cache *c);

/* Visits all stacks that exist when it is called, in use or not. Other threads may take
 * and give stacks during the visits; `lo`, `hi` and `guard` of a stack never change. */
void filch__stacks_each(struct filch__stacks *p,
                        void (*visit)(struct filch__stack *stack, void *arg), void *arg);

/* Returns the stack whose guard has this address, or NULL. It serves to name an overflow,
 * and is async-signal-safe. Caller: is not on that stack, which has no room left. */
struct filch__stack *filch__stack_of_guard(struct filch__stacks *p, const void *address);

#endif
