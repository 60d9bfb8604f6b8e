/* SPDX-License-Identifier: MIT */
/*
 * Calling the user's task of a record. ThreadSanitizer is told that the call is parallel
 * to all that its spawner did since the spawn, whichever worker makes it
 * (fiber/apart.h).
 */
#ifndef FILCH_STRAND_RUN_H
#define FILCH_STRAND_RUN_H

#include <filch/detail/record.h>

#include "fiber/switch.h"
#include "strand/record.h"

void filch__record_run_apart(struct filch__record *r);

/* Calls the task. Caller: on a strand, or outside a pool. */
static inline void filch__record_run(struct filch__record *r)
{
#if FILCH__TSAN
	filch__record_run_apart(r);
#else
	filch__record_task(r)->run(r);
#endif
}

#endif
