/* SPDX-License-Identifier: MIT */
/*
 * The symbols of libfilch that programs with tasks refer to.
 */
#ifndef VERIFY_STRAND_TASKS_H
#define VERIFY_STRAND_TASKS_H

#include <filch/detail/record.h>
#include <filch/task.h>

#include "base/misuse.h"
#include "client.h"

/* Nothing looks for the tasks of a client. */
uint64_t filch__register_tasks(const struct filch__task *start,
                               const struct filch__task *stop, int listing)
{
	(void)start;
	(void)stop;
	(void)listing;
	return FILCH__LIVE;
}

void filch__compiled_with(unsigned sanitizer)
{
	(void)sanitizer;
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
