/* SPDX-License-Identifier: MIT */
/*
 * What libfilch offers to programs that define tasks.
 */
#ifndef VERIFY_SCHED_TASKS_H
#define VERIFY_SCHED_TASKS_H

#include <filch/record.h>
#include <filch/task.h>

#include "client.h"
#include "sched/misuse.h"

/* A client has no tasks that anybody looks for. */
void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop)
{
	(void)start, (void)stop;
}

void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop)
{
	(void)start, (void)stop;
}

void filch__misuse(const char *call, const char *what, ...)
{
	(void)call, (void)what;
	CHECK(!"bad use");
	__builtin_unreachable();
}

#endif
