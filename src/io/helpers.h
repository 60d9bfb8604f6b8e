/* SPDX-License-Identifier: MIT */
/*
 * Helper threads: for what blocks whoever does it. As many as are needed, up to a limit;
 * those that have nothing to do for a while end.
 *
 * A call is in the frame of who waits for it. Its turn has come when a helper is there for
 * it, idle or just started; from then on it is run, and waited for whatever happens.
 */
#ifndef FILCH_IO_HELPERS_H
#define FILCH_IO_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct filch_pool;
struct filch__helpers;

/* The pool's helpers, made on first use. NULL if there is no memory. */
struct filch__helpers *filch__helpers(struct filch_pool *pool);

/* How many threads there are now, and how many of them wait for something to do. For
 * tests and counters. */
struct filch__helpers_count {
	uint32_t threads, idle;
};
struct filch__helpers_count filch__helpers_count(struct filch_pool *pool);

/* Has a helper run fn(arg), and suspends the strand (any other thread sleeps) until it has.
 * Errors: -ETIMEDOUT, and if cancellable -ECANCELED: its turn did not come, and never
 * will; -EAGAIN: there is no helper and none can be started, do it yourself. */
int filch__helpers_run(struct filch_pool *pool, void (*fn)(void *), void *arg,
                       uint64_t deadline, bool cancellable);

#endif
