/* SPDX-License-Identifier: MIT */
/*
 * Being watched: with FILCH_WATCH=on, a thread of the process answers `filch top` over a
 * socket that only the same user may open. See README.md.
 */
#ifndef FILCH_WATCH_WATCH_H
#define FILCH_WATCH_WATCH_H

#include "watch/text.h"

/* How an answer begins that is no snapshot: a JSON object with a text. */
#define FILCH__WATCH_ERROR "{\"error\""

/* Adds a snapshot of the process to `out`: one JSON object, without a line's end. On the
 * thread that answers. */
typedef void filch__describe_fn(struct filch__text *out);

/* Begins to answer, if the environment says so and nobody has begun yet. Any thread. Ends by
 * itself, with the process or with the library.
 * Errors: -EINVAL: a wrong FILCH_WATCH; -errno: there can be no socket or no thread. `why`
 * then says so in words. */
int filch__watch_begin(filch__describe_fn *describe, char *why, size_t why_size);

/* In the child of a fork: the thread and the socket are the parent's. */
void filch__watch_forget(void);

#endif
