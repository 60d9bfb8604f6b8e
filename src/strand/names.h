/* SPDX-License-Identifier: MIT */
/*
 * The tasks that this process has, of the program and of its libraries, and their names.
 * Libraries come and go (dlclose()), and a strand may remember a task a little longer
 * than its library lasts: so nobody reads a task that is not registered.
 */
#ifndef FILCH_STRAND_NAMES_H
#define FILCH_STRAND_NAMES_H

#include <filch/detail/record.h>
#include <stdbool.h>

/* Returns true if this is a registered task. */
bool filch__is_task(const struct filch__task *t);

/* Returns whether the tasks of some program or library are found by looking through
 * stacks: not all were compiled with FILCH_EXACT. */
bool filch__records_are_scanned(void);

/* Returns whether those of some program or library are found by lists alone. */
bool filch__records_are_listed(void);

/* Copies the task's name, or "?" if it is not registered, or no longer. Caller: any
 * thread. */
void filch__task_name(const struct filch__task *t, char *out, size_t size);

/* Returns true if a part of the program was compiled with FILCH_DEBUG. */
bool filch__program_debugs(void);

/* Called in the child of a fork, where no other thread reads names. */
void filch__names_after_fork(void);

#endif
