/* SPDX-License-Identifier: MIT */
/*
 * What all work-stealing queues share: entries, results, options, and the list of kinds.
 *
 * Every kind K in FILCH_QUEUE_KINDS has a header queue/K.h with the same interface:
 *
 *   int  filch_K_init(struct filch_K *, const struct filch_queue_options *)   0 or -errno
 *   void filch_K_destroy(struct filch_K *)          nobody may use the queue any more
 *                           (on the heap: aligned_alloc(FILCH_LINE, ...), not malloc)
 *
 *   struct filch_K_owner filch_K_owner(struct filch_K *)       one thread at a time
 *   enum filch_result filch_K_put(struct filch_K_owner, filch_entry)      OK, FULL
 *   enum filch_result filch_K_get(struct filch_K_owner, filch_entry *)    OK, EMPTY
 *
 *   struct filch_K_thief filch_K_thief(struct filch_K *, uint64_t seed)   any number
 *   enum filch_result filch_K_steal(struct filch_K_thief *, filch_entry *)
 *   enum filch_result filch_K_steal_batch(struct filch_K_thief *, filch_entry *out,
 *                                         size_t max, size_t *n)
 *                                                   OK, EMPTY, RETRY (lost a race)
 *   bool filch_K_sample(struct filch_K_thief *)     true with probability size/capacity
 *   size_t filch_K_size_hint(struct filch_K *)      what thieves could take, about
 *
 * The last two count what is within thieves' reach. Entries that a BWoS owner has not
 * granted are not, until a thief has tried to steal: so a thief must not give up on their
 * word alone.
 *
 * Owner and thief are different types, so that a thief cannot put. put and get inline
 * into the caller. To write code once for every kind, define FILCH_QUEUE and include
 * queue/select.h. The protocols, their invariants and their orderings are in
 * src/queue/README.md.
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
	FILCH_EMPTY, /* nothing was there that this caller might take */
	FILCH_RETRY, /* lost a race; trying again may succeed */
	FILCH_FULL,  /* no room (or no memory); nothing was changed */
};

/* 0 in a field means its default. */
struct filch_queue_options {
	size_t block_size; /* entries a block, a power of two, 1 to 32768; default 64 */
	size_t blocks;  /* blocks to begin with, a power of two, 2 to 2^20; default 8 */
	bool fixed;     /* never hold more than block_size * blocks entries */
	uint64_t start; /* where internal counters begin; for tests of wrap-around */
};

#define FILCH_BLOCK_SIZE_MAX ((size_t)1 << 15)
#define FILCH_BLOCKS_MAX ((size_t)1 << 20)

/* Fills in defaults and checks the rest.
 * Errors: -EINVAL, and *why (when not NULL) says what is wrong in words for a user. */
int filch_queue_options_resolve(struct filch_queue_options *out,
                                const struct filch_queue_options *in, const char **why);

/* A name such as "OK", for messages. */
const char *filch_result_name(enum filch_result r);

#endif
