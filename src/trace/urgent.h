/* SPDX-License-Identifier: MIT */
/*
 * Writing the trace because of a signal: before the signal ends the process, or because
 * somebody asks for it. A handler may do next to nothing, so a thread writes, which does
 * nothing else; the handler wakes it, and waits if the process is about to end. See
 * README.md, "Signals".
 */
#ifndef FILCH_TRACE_URGENT_H
#define FILCH_TRACE_URGENT_H

#include <stdbool.h>

/* Begins to write by `write` when a signal comes; `last` says that the process ends. Does
 * nothing if there can be no thread. Caller: the trace has begun; again in the child of a
 * fork that has a trace of its own. */
void filch__urgent_begin(void (*write)(bool last));

/* Has the trace written, and waits for that, but not for ever: the process ends. Does
 * nothing if there is no trace. Async-signal-safe. */
void filch__urgent_last(void);

#endif
