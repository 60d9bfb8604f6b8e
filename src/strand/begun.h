/* SPDX-License-Identifier: MIT */
/*
 * The groups that lie in the frames of a strand and are begun but not waited for. A frame
 * that is left with such a group in it is overwritten by the tasks of the group, so the
 * process ends with a message as soon as that is noticed: when a task returns, and when
 * the strand begins a group, spawns into one or waits for one; with FILCH_DEBUG, at each
 * spawn and join as well.
 *
 * The strand knows its newest such group, and each group the next older one. Frames that
 * are left may be overwritten, so these links are followed only as far as they make
 * sense. A group elsewhere, on the heap for example, is in no list.
 */
#ifndef FILCH_STRAND_BEGUN_H
#define FILCH_STRAND_BEGUN_H

#include <filch/group.h>

#include "strand/strand.h"

#define FILCH__BEGUN 0x62676e31 /* a group's `begun`, from its begin to its wait */

/* Notes a group that begins, if it lies in the strand's frames. Caller: the strand. */
void filch__begun_add(struct filch__strand *s, struct filch_group *g);

/* Forgets a group that is waited for. Caller: the strand s, which may be another strand
 * than the one that has begun the group. */
void filch__begun_remove(struct filch__strand *s, struct filch_group *g);

/* Ends the process with a message; the second function does not if another strand has
 * waited for a group of s. */
_Noreturn void filch__begun_forgotten(const struct filch__strand *s);
void filch__begun_left(struct filch__strand *s);

/* Checks that no group was left behind below this address, where a frame of the strand
 * is that still exists. A coroutine of the user's has its frames elsewhere. Caller: the
 * strand. */
__attribute__((no_sanitize("thread"))) static inline void filch__begun_check(
	struct filch__strand *s, const void *frame)
{
	if (FILCH_UNLIKELY(s->begun && (const char *)s->begun < (const char *)frame &&
	                   (const char *)frame < s->hi))
		filch__begun_left(s);
}

#endif
