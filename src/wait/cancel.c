/* SPDX-License-Identifier: MIT */
/*
 * The lock of a group is taken before those of the groups begun in it. A strand is woken
 * by its ticket, and may have resumed by then.
 */
#include "wait/cancel.h"

/* Locks the group, once it and all groups that it was begun in are known to their
 * parents. */
static void lock_known(struct filch_group *g)
{
	filch__lock(&g->lock);
	if (g->known || !g->parent)
		return;
	filch__unlock(&g->lock);
	lock_known(g->parent);
	filch__lock(&g->lock);
	if (!g->known) {
		g->known = 1;
		filch__list_push_first(&g->parent->inner, &g->sibling);
	}
	filch__unlock(&g->parent->lock);
}

bool filch__wait_join(struct filch__wait *w)
{
	struct filch_group *g = w->group;
	bool cancelled;

	assert(!w->joined);
	lock_known(g);
	cancelled = filch__group_cancelled(g);
	if (!cancelled) {
		w->joined = true;
		filch__list_push_first(&g->waits, &w->group_link);
	}
	filch__unlock(&g->lock);
	return !cancelled;
}

void filch__wait_leave(struct filch__wait *w)
{
	struct filch_group *g = w->group;

	filch__lock(&g->lock);
	if (w->joined)
		filch__list_remove(&g->waits, &w->group_link);
	w->joined = false;
	filch__unlock(&g->lock);
}

void filch__cancel_waits(struct filch_group *g)
{
	assert(filch__group_cancelled(g));
	filch__lock(&g->lock);
	for (struct filch__link *x = g->waits.first; x; x = x->next) {
		struct filch__wait *w = FILCH__HOLDER(x, struct filch__wait, group_link);

		filch__wake_ticket(w->pool, w->ticket);
	}
	for (struct filch__link *x = g->inner.first; x; x = x->next)
		filch__cancel_waits(FILCH__HOLDER(x, struct filch_group, sibling));
	filch__unlock(&g->lock);
}

void filch__group_part(struct filch_group *g)
{
	assert(filch__list_empty(&g->waits) && filch__list_empty(&g->inner));
	if (!g->known) /* its tasks are done: nobody sets it now */
		return;
	filch__lock(&g->parent->lock);
	filch__list_remove(&g->parent->inner, &g->sibling);
	filch__unlock(&g->parent->lock);
}
