/* SPDX-License-Identifier: MIT */
/*
 * The trace of a process: one file, with the events of all its pools. See
 * src/trace/README.md.
 */
#ifndef FILCH_TRACE_TRACE_H
#define FILCH_TRACE_TRACE_H

#include <pthread.h>

#include "trace/events.h"

#define FILCH__TRACE_EVENTS_MIN 64
#define FILCH__TRACE_EVENTS_MAX ((size_t)1 << 24)

/* The trace of one pool. */
struct filch__trace {
	struct filch__trace *next;
	unsigned pool; /* the pool's number in this process, from 1 on */
	uint32_t workers;
	struct filch__events ring[];
};

/* Begins to trace a pool of `workers` workers into the file `path` (see filch/pool.h).
 * The first pool makes the file, and later ones use it as well. *out is NULL if the file
 * is complete already, or belongs to the parent.
 * Errors: -EINVAL for a file that cannot be made, -ENOMEM; `why` explains the error. */
int filch__trace_begin(struct filch__trace **out, const char *path, size_t events,
                       uint32_t workers, char *why, size_t why_size);

/* Writes the events of a pool that has ended. Caller: none of its workers is left. */
void filch__trace_end(struct filch__trace *t);

/* Drops the trace of a pool that did not begin. */
void filch__trace_drop(struct filch__trace *t);

/* Called before and after a fork, so that there is no fork while the file is written: the
 * child would write the stream's buffer, too. */
void filch__trace_hold(void);
void filch__trace_release(void);

/* Called in the child of a fork: the trace is the parent's. */
void filch__trace_forget(void);

/* Returns the name of a function, which is looked up once. Caller: holds the lock of the
 * file, as the writer of events does. */
const char *filch__trace_function(uintptr_t function);

/* Gives events of functions the names of these: a library is about to be unloaded, and one
 * that is loaded later may lie at the same addresses. */
void filch__trace_keep_functions(void);

/* Gives events that have this name a copy of it: the library that holds the name is about
 * to be unloaded. */
void filch__trace_keep_name(const char *name);

#endif
