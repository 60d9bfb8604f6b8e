/* SPDX-License-Identifier: MIT */
/*
 * The contents of the file: a pool's events as slices, arrows and waits, in the Trace
 * Event Format that Chrome and Perfetto read. See README.md.
 */
#ifndef FILCH_TRACE_JSON_H
#define FILCH_TRACE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct filch__trace;

/* Turns ticks into nanoseconds since the trace began. */
struct filch__trace_clock {
	uint64_t ticks; /* when the trace began */
	double ns;      /* of a tick */
};

/* Writes the events of a pool. `first` says that nothing was written to the file before.
 * Returns how many events were lost, that is, overwritten.
 * Errors: -ENOMEM; the stream keeps other errors. */
int64_t filch__trace_write(FILE *f, const struct filch__trace *t,
                           const struct filch__trace_clock *clock, bool first);

#endif
