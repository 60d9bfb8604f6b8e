/* SPDX-License-Identifier: MIT */
/*
 * The tasks that this process has, program and libraries, and their names. Libraries come
 * and go (dlclose()), and a strand may remember a task a little longer than its library
 * lasts: so nobody reads a task that is not registered.
 */
#ifndef FILCH_SCHED_NAMES_H
#define FILCH_SCHED_NAMES_H

#include <filch/record.h>
#include <stdbool.h>

/* Whether this is a task that was registered. */
bool filch__is_task(const struct filch__task *t);

/* Copies its name; "?" if it is not registered, or not any more. Any thread. */
void filch__task_name(const struct filch__task *t, char *out, size_t size);

/* In the child of a fork: nobody else reads names. */
void filch__names_forget(void);

#endif
