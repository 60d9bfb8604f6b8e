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
#include "strand/hunger.h"

/* Nothing looks for the tasks of a client. */
void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop, int listing, uint64_t *secret)
{
	(void)start;
	(void)stop;
	(void)listing;
	*secret = FILCH__LIVE;
}

/* What hungry workers tell spawns is a hint, which no client is about. */
bool filch__hunger_is_shown(void)
{
	return true;
}

void filch__hunger_show(void)
{
}

void filch__hunger_hide(void)
{
}

void filch__compiled_with(unsigned sanitizer)
{
	(void)sanitizer;
}

void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop, const uint64_t *secret)
{
	(void)start, (void)stop, (void)secret;
}

void filch__misuse(const char *call, const char *what, ...)
{
	(void)call, (void)what;
	CHECK(!"bad use");
	__builtin_unreachable();
}

#endif
