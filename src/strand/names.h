/* SPDX-License-Identifier: MIT */
/*
 * The tasks that this process has, of the program and of its libraries, and their names.
 * Libraries come and go (dlclose()), and a strand may remember a task a little longer than
 * its library lasts: so nobody reads a task that is not registered.
 */
#ifndef FILCH_STRAND_NAMES_H
#define FILCH_STRAND_NAMES_H

#include <filch/detail/record.h>
#include <stdbool.h>

/* Whether this is a task that was registered. */
bool filch__is_task(const struct filch__task *t);

/* Copies its name; "?" if it is not registered, or no longer. Any thread. */
void filch__task_name(const struct filch__task *t, char *out, size_t size);

/* In the child of a fork: no other thread reads names. */
void filch__names_after_fork(void);

#endif
