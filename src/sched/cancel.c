/* SPDX-License-Identifier: MIT */
/*
 * Locks are taken from a group to those begun in it. Who is to be woken is woken by its
 * ticket, and may by then have gone on.
 */
#include "sched/cancel.h"

static void insert_group(struct filch_group *g, struct filch_group *parent)
{
	g->known = 1;
	g->sibling = parent->inner;
	g->link = &parent->inner;
	if (g->sibling)
		g->sibling->link = &g->sibling;
	parent->inner = g;
}

/* Locks the group, which is then known to those that it was begun in. */
static void lock_known(struct filch_group *g)
{
	filch__lock(&g->lock);
	if (g->known || !g->parent)
		return;
	filch__unlock(&g->lock);
	lock_known(g->parent);
	filch__lock(&g->lock);
	if (!g->known)
		insert_group(g, g->parent);
	filch__unlock(&g->parent->lock);
}

bool filch__wait_join(struct filch__wait *w)
{
	struct filch_group *g = w->group;
	bool cancelled;

	lock_known(g);
	cancelled = filch__group_cancelled(g);
	if (!cancelled) {
		w->joined = true;
		w->next_in_group = g->waits;
		w->link_in_group = &g->waits;
		if (g->waits)
			g->waits->link_in_group = &w->next_in_group;
		g->waits = w;
	}
	filch__unlock(&g->lock);
	return !cancelled;
}

void filch__wait_leave(struct filch__wait *w)
{
	struct filch_group *g = w->group;

	filch__lock(&g->lock);
	if (w->joined) {
		*w->link_in_group = w->next_in_group;
		if (w->next_in_group)
			w->next_in_group->link_in_group = w->link_in_group;
	}
	filch__unlock(&g->lock);
}

void filch__cancel_waits(struct filch_group *g)
{
	filch__lock(&g->lock);
	for (struct filch__wait *w = g->waits; w; w = w->next_in_group)
		filch__wake_ticket(w->pool, w->ticket);
	for (struct filch_group *inner = g->inner; inner; inner = inner->sibling)
		filch__cancel_waits(inner);
	filch__unlock(&g->lock);
}

void filch__group_part(struct filch_group *g)
{
	if (!g->known) /* its tasks are done: nobody sets it now */
		return;
	filch__lock(&g->parent->lock);
	*g->link = g->sibling;
	if (g->sibling)
		g->sibling->link = g->link;
	filch__unlock(&g->parent->lock);
}
