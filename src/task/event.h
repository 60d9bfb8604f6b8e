/* SPDX-License-Identifier: MIT */
#ifndef FILCH_TASK_EVENT_H
#define FILCH_TASK_EVENT_H

#include <filch/sync.h>

/* Asserts the invariants of an event: README.md, 5. Caller: holds the lock of its list. */
void filch__event_check(const struct filch_event *e);

#endif
