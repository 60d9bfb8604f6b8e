/* SPDX-License-Identifier: MIT */
/*
 * What the pools of this process do at the moment, for `filch top`: one JSON object, which
 * src/watch/README.md describes. Everything is read while it goes on changing, by relaxed
 * loads, so numbers need not add up; no worker waits for it, but for a moment for the locks of
 * timers and stacks.
 */
#ifndef FILCH_SCHED_SNAPSHOT_H
#define FILCH_SCHED_SNAPSHOT_H

#include "watch/text.h"

/* Any thread but a worker: it takes its time, some 100 ns a strand. */
void filch__snapshot(struct filch__text *out);

#endif
