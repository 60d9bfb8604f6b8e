/* SPDX-License-Identifier: MIT */
#ifndef FILCH_TASK_SEMAPHORE_H
#define FILCH_TASK_SEMAPHORE_H

#include <filch/sync.h>

/* Asserts the invariants of a semaphore: README.md, 5. Caller: holds the lock of its list. */
void filch__semaphore_check(const struct filch_semaphore *s);

#endif
