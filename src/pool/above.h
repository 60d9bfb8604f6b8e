/* SPDX-License-Identifier: MIT */
/*
 * What pools need of the room above this one: src/observe defines
 * filch__snapshot(), and filch__debug of base/layout.h, which heads the list of pools.
 */
#ifndef FILCH_POOL_ABOVE_H
#define FILCH_POOL_ABOVE_H

#include "base/layout.h"
#include "watch/text.h"

/* Describes what the pools of this process do at the moment, for `filch top`: one JSON
 * object, which src/watch/README.md describes. Any thread but a worker: it takes its time,
 * some 100 ns a strand. */
void filch__snapshot(struct filch__text *out);

#endif
