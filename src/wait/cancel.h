/* SPDX-License-Identifier: MIT */
/*
 * Waits that end when their group is cancelled. A group knows of the waits of its tasks,
 * and of the groups begun by them in which some strand waits.
 */
#ifndef FILCH_WAIT_CANCEL_H
#define FILCH_WAIT_CANCEL_H

#include <filch/group.h>

#include "wait/wait.h"

static inline _Atomic(uint32_t) *filch__cancelled_of(const struct filch_group *g)
{
	return (_Atomic(uint32_t) *)&g->cancelled;
}

/* Returns true if the group, or one that it was begun in, is cancelled. */
static inline bool filch__group_cancelled(const struct filch_group *g)
{
	for (; g; g = g->parent)
		if (load_rlx(filch__cancelled_of(g))) /* a flag only */
			return true;
	return false;
}

/* Has the wait woken when its group, or one that this was begun in, is cancelled. Returns
 * false if it is cancelled already. Lifetime: until filch__wait_leave(), which must be
 * called in any case. */
bool filch__wait_join(struct filch__wait *w);
void filch__wait_leave(struct filch__wait *w);

/* Wakes all waits that the group, which is cancelled, and the groups in it know of. */
void filch__cancel_waits(struct filch_group *g);

/* Takes a group that ends out of the list of the one that it was begun in. */
void filch__group_part(struct filch_group *g);

#endif
