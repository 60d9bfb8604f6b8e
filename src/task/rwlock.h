/* SPDX-License-Identifier: MIT */
#ifndef FILCH_TASK_RWLOCK_H
#define FILCH_TASK_RWLOCK_H

#include <filch/sync.h>

/* Asserts the invariants of a read-write lock: README.md, 5. Caller: holds the lock of its list. */
void filch__rwlock_check(const struct filch_rwlock *l);

#endif
