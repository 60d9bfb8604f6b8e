/* SPDX-License-Identifier: MIT */
/*
 * What all work-stealing queues share: entries, results, options, and the list of kinds.
 *
 * Every kind K in FILCH_QUEUE_KINDS has a header K.h beside this one, and all of them have
 * the same interface:
 *
 *   int  filch_K_init(struct filch_K *, const struct filch_queue_options *)   0 or -errno
 *   void filch_K_destroy(struct filch_K *)          no thread may use the queue afterwards
 *
 *   struct filch_K_owner filch_K_owner(struct filch_K *)       one thread at a time
 *   enum filch_result filch_K_put(struct filch_K_owner, filch_entry)      OK, FULL
 *   enum filch_result filch_K_get(struct filch_K_owner, filch_entry *)    OK, EMPTY
 *
 *   struct filch_K_thief filch_K_thief(struct filch_K *, uint64_t seed)   one per thread
 *   enum filch_result filch_K_steal(struct filch_K_thief *, filch_entry *)
 *   enum filch_result filch_K_steal_batch(struct filch_K_thief *, filch_entry *out,
 *                                         size_t max, size_t *n)
 *                                                   OK, EMPTY, RETRY (lost a race)
 *   bool filch_K_sample(struct filch_K_thief *)     true with probability size/capacity
 *   size_t filch_K_size_hint(struct filch_K *)      an estimate of what thieves could take
 *
 * The struct of a queue is aligned to cache lines: a queue on the heap needs
 * aligned_alloc(FILCH_LINE, ...) rather than malloc.
 *
 * sample and size_hint count the entries that thieves can reach. A BWoS owner keeps
 * entries out of reach until a thief has tried to steal, so a thief must try before it
 * concludes from these two that the queue is empty.
 *
 * Owner and thief are different types, so that a thief cannot put. put and get inline
 * into the caller. filch_queue(3) is the manual page; src/queue/README.md describes the
 * protocols, their invariants and their orderings.
 */
#ifndef FILCH_QUEUE_QUEUE_H
#define FILCH_QUEUE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One entry is one machine word: an integer, or a pointer cast to one. */
typedef uintptr_t filch_entry;

/* X(kind, order of the owner, description) */
#define FILCH_QUEUE_KINDS(X)                                   \
	X(bwos_lifo, LIFO, "block-based, growing")             \
	X(bwos_fifo, FIFO, "block-based, growing")             \
	X(chase_lev, LIFO, "circular array, growing")          \
	X(abp, LIFO, "Arora-Blumofe-Plaxton, bounded")         \
	X(locked, LIFO, "ring under a pthread mutex, growing") \
	X(runq, FIFO, "ring with steal-half, bounded")

enum filch_result {
	FILCH_OK,    /* done */
	FILCH_EMPTY, /* there was nothing that this caller could take */
	FILCH_RETRY, /* the caller lost a race; trying again may succeed */
	FILCH_FULL,  /* there is no room, or no memory; nothing was changed */
};

/* A field that is 0 has its default. */
struct filch_queue_options {
	size_t block_size; /* entries per block: a power of two, 1 to 32768; default 64 */
	size_t blocks;     /* initial blocks: a power of two, 2 to 2^20; default 8 */
	bool fixed;        /* never hold more than block_size * blocks entries */
	uint64_t start;    /* where internal counters begin; for tests of wrap-around */
};

#define FILCH_BLOCK_SIZE_MAX ((size_t)1 << 15)
#define FILCH_BLOCKS_MAX ((size_t)1 << 20)

/* Fills in the defaults and checks the other fields.
 * Errors: -EINVAL; then *why, unless `why` is NULL, tells the user what is wrong. */
int filch_queue_options_resolve(struct filch_queue_options *out,
                                const struct filch_queue_options *in, const char **why);

/* The name of a result for messages, such as "OK". */
const char *filch_result_name(enum filch_result r);

#endif
