/* SPDX-License-Identifier: MIT */
/*
 * A strand that outgrows its stack hits a guard page: this names it.
 */
#ifndef FILCH_SCHED_OVERFLOW_H
#define FILCH_SCHED_OVERFLOW_H

#include "fiber/stack.h"

/* From here on a fault in a guard of these stacks is reported with the task's name. Faults
 * elsewhere go to whoever handled SIGSEGV before. Without room (64 pools) it goes
 * unnamed. */
void filch__overflow_watch(struct filch__stacks *stacks);
void filch__overflow_unwatch(struct filch__stacks *stacks);

#endif
