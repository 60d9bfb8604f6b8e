/* SPDX-License-Identifier: MIT */
#ifndef FILCH_TASK_MUTEX_H
#define FILCH_TASK_MUTEX_H

#include <filch/sync.h>

#include "wait/wait.h"

/* Asserts the invariants of a mutex: README.md, 5. Caller: holds the lock of its list. */
void filch__mutex_check(const struct filch_mutex *m);

/* Hands the mutex to the next waiter, or frees it. Returns whether there is a strand or
 * thread to wake. `call` names the caller's function, for the message if it does not hold
 * the mutex. */
bool filch__mutex_pass(struct filch_mutex *m, const char *call,
                       struct filch__wakeup *wakeup);

#endif
