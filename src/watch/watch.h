/* SPDX-License-Identifier: MIT */
/*
 * Being watched: with FILCH_WATCH=on, a thread of the process answers `filch top` over a
 * socket that only the same user may open. See README.md.
 */
#ifndef FILCH_WATCH_WATCH_H
#define FILCH_WATCH_WATCH_H

#include "watch/text.h"

/* Adds a snapshot of the process to `out`: one JSON object, without the end of the line.
 * Called on the thread that answers. */
typedef void filch__describe_fn(struct filch__text *out);

/* Begins to answer, if the environment says so and the process does not answer yet. Any
 * thread may call it. Answering ends with the process or with the library.
 * Errors: -EINVAL: a wrong FILCH_WATCH; -errno: there can be no socket or no thread.
 * `why` then explains the error. */
int filch__watch_begin(filch__describe_fn *describe, char *why, size_t why_size);

/* Called in the child of a fork: the thread and the socket are the parent's. */
void filch__watch_forget(void);

#endif
