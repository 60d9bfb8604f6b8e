/* SPDX-License-Identifier: MIT */
/*
 * A strand that outgrows its stack hits a guard page: this names the task that it runs.
 */
#ifndef FILCH_POOL_OVERFLOW_H
#define FILCH_POOL_OVERFLOW_H

#include "fiber/stack.h"

/* Has a fault in a guard of these stacks, of all depths, reported with the task's name, from here on.
 * Faults elsewhere go to the handler of SIGSEGV that was there before. Beyond 64 pools an
 * overflow goes unnamed. */
void filch__overflow_watch(struct filch__stacks *stacks);
void filch__overflow_unwatch(struct filch__stacks *stacks);

#endif
