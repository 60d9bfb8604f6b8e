/* SPDX-License-Identifier: MIT */
/*
 * Helper threads, which run calls that block. There are as many as are needed, up to a
 * limit; a helper that has nothing to do for a while ends.
 *
 * A request is in the frame of the strand that waits for it. Its turn has come when a
 * helper is available for it, idle or just started. From then on a helper will run the
 * request, and its strand waits for that whatever happens.
 */
#ifndef FILCH_IO_HELPERS_H
#define FILCH_IO_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct filch_pool;
struct filch__helpers;

/* Returns the pool's helpers, made on first use, or NULL if there is no memory. */
struct filch__helpers *filch__helpers(struct filch_pool *pool);

/* How many threads there are now, and how many of them are idle. Tests and counters use
 * this. */
struct filch__helpers_count {
	uint32_t threads, idle;
};
struct filch__helpers_count filch__helpers_count(struct filch_pool *pool);

/* Has a helper run fn(arg), and suspends the strand (or blocks a thread) until it has.
 * Errors: -ETIMEDOUT, and if cancellable -ECANCELED: the turn of the request did not
 * come, and never will; -EAGAIN: there is no helper and none can be started, so the
 * caller has to run fn(arg) itself. */
int filch__helpers_run(struct filch_pool *pool, void (*fn)(void *), void *arg,
                       uint64_t deadline, bool cancellable);

/* Asserts the invariants of the queue and the counts. Caller: holds the helpers' lock. */
void filch__helpers_check(const struct filch__helpers *h);

#endif
