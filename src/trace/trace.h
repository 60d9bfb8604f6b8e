/* SPDX-License-Identifier: MIT */
/*
 * The trace of a process: one file, with the events of all its pools. See
 * src/trace/README.md.
 */
#ifndef FILCH_TRACE_TRACE_H
#define FILCH_TRACE_TRACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "trace/events.h"

#define FILCH__TRACE_EVENTS_MIN 64
#define FILCH__TRACE_EVENTS_MAX ((size_t)1 << 24)

/* Of one pool. */
struct filch__trace {
	struct filch__trace *next;
	unsigned pool; /* its number in this process, from 1 on */
	uint32_t workers;
	struct filch__events ring[];
};

/* Begins to trace a pool with so many workers, into the file `path` (see filch/pool.h), which
 * is made when the first pool is; later ones go there, too. *out is NULL if the file is
 * written already, or is the parent's.
 * Errors: -EINVAL for a file that cannot be made, -ENOMEM; `why` says it in words. */
int filch__trace_begin(struct filch__trace **out, const char *path, size_t events,
                       uint32_t workers, char *why, size_t why_size);

/* The pool has ended: its events are written. Caller: none of its workers is left. */
void filch__trace_end(struct filch__trace *t);

/* It has not even begun. */
void filch__trace_drop(struct filch__trace *t);

/* Around a fork: none while the file is written, whose buffer the child would write, too. */
void filch__trace_hold(void);
void filch__trace_release(void);

/* In the child of a fork: the trace is the parent's. */
void filch__trace_forget(void);

/* The memory at `name` goes away with the library that it is in: events that have the name
 * get a copy. */
void filch__trace_keep_name(const char *name);

/* ---- what is written: json.c ---- */

/* From ticks to nanoseconds since the trace began. */
struct filch__trace_clock {
	uint64_t ticks; /* when it began */
	double ns;      /* a tick */
};

/* Writes what there is of a pool. `first`: nothing was written before. Returns how many
 * events were lost, that is overwritten.
 * Errors: -ENOMEM; others are the stream's. */
int64_t filch__trace_write(FILE *f, const struct filch__trace *t,
                           const struct filch__trace_clock *clock, bool first);

#endif
