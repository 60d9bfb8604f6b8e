/* SPDX-License-Identifier: MIT */
/*
 * The names that pools need of the room above this one: src/observe defines
 * filch__snapshot(), filch__look_stuck(), and filch__debug of base/layout.h, which heads the list of pools.
 */
#ifndef FILCH_POOL_ABOVE_H
#define FILCH_POOL_ABOVE_H

#include "base/layout.h"
#include "watch/text.h"

struct filch_pool;

/* Describes what the pools of this process do at the moment, for `filch top`: one JSON
 * object, which man/filch_watch.3 describes. Caller: any thread but a worker, since it
 * takes some 100 ns per strand. */
void filch__snapshot(struct filch__text *out);

/* Looks whether every strand of this process waits for another one, and nothing is left
 * that could wake one. If that has been so for a while, ends the process with a message.
 * Caller: the pool's first worker, in the scheduler, with nothing to do. */
void filch__look_stuck(struct filch_pool *pool);

#endif
