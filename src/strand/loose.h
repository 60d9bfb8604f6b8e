/* SPDX-License-Identifier: MIT */
/*
 * Loose tasks: tasks of groups, which no frame holds. While private they are in a list of
 * their strand, the newest last; exposed, they wait in its deque like any record.
 */
#ifndef FILCH_STRAND_LOOSE_H
#define FILCH_STRAND_LOOSE_H

#include "base/list.h"
#include "strand/listed.h"
#include "strand/names.h"
#include "strand/record.h"
#include "strand/strand.h"

/* The beginning of a record that no strand joins: the record of a group's task, or of a
 * future. `head.task` has size 0, which marks such a record, and its run() ends it. */
struct filch__outer {
	struct filch__record head;
	struct filch__record *inner; /* the user's task, with its arguments */
};

struct filch__loose {
	struct filch__record head;
	struct filch__record *inner; /* as in struct filch__outer */
	struct filch__link link;     /* in its strand's list, while private */
	struct filch_group *group;
	struct filch_pool
		*held; /* the pool it was spawned on, if not the group's; else NULL */
};
_Static_assert(offsetof(struct filch__loose, inner) ==
                       offsetof(struct filch__outer, inner),
               "a loose task begins like struct filch__outer");

/* The operations on a strand's list. Caller: the strand's own thread, inside. */
static inline void filch__loose_push(struct filch__strand *s, struct filch__loose *l)
{
	filch__list_push_last(&s->loose, &l->link);
}

static inline void filch__loose_push_oldest(struct filch__strand *s,
                                            struct filch__loose *l)
{
	filch__list_push_first(&s->loose, &l->link);
}

static inline struct filch__loose *filch__loose_newest(struct filch__strand *s)
{
	return FILCH__HOLDER(s->loose.last, struct filch__loose, link);
}

static inline struct filch__loose *filch__loose_oldest(struct filch__strand *s)
{
	return FILCH__HOLDER(s->loose.first, struct filch__loose, link);
}

static inline struct filch__loose *filch__loose_older(struct filch__loose *l)
{
	return FILCH__HOLDER(l->link.prev, struct filch__loose, link);
}

static inline void filch__loose_remove(struct filch__strand *s, struct filch__loose *l)
{
	filch__list_remove(&s->loose, &l->link);
}

static inline bool filch__is_loose(const struct filch__record *r)
{
	return filch__record_task(r)->size == 0;
}

/* The title of what the user has written (see names.h): it lasts as long as its library,
 * while a record may be gone as soon as it is done. */
static inline uintptr_t filch__title(const struct filch__record *r)
{
	return filch__title_of(
		filch__is_loose(r) ? ((const struct filch__outer *)r)->inner : r);
}

/* Makes an exposed record private again, after it was got back from the deque. */
static inline void filch__unexpose(struct filch__strand *s, struct filch__record *r)
{
	assert(!s->stack || (char *)r < s->lo || (char *)r >= s->hi ||
	       !filch__is_loose(r)); /* no frame holds it */
	filch__record_hide(r);
	if (filch__is_loose(r))
		filch__loose_push(s, (struct filch__loose *)r);
	else if (filch__is_listed(r))
		filch__listed_push(s, r);
}

#endif
