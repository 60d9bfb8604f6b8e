/* SPDX-License-Identifier: MIT */
/*
 * Loose tasks: tasks of groups, which no frame holds. While private they are in a list of
 * their strand, newest last; exposed, they wait in its deque like any record.
 */
#ifndef FILCH_SCHED_LOOSE_H
#define FILCH_SCHED_LOOSE_H

#include "sched/record.h"
#include "sched/strand.h"

/* How records begin that nobody joins: of a group's task, or of a future. `head.task` has
 * size 0, which says so, and its run() ends the record. */
struct filch__outer {
	struct filch__record head;
	struct filch__record *inner; /* the user's task, with its arguments */
};

struct filch__loose {
	struct filch__record head;
	struct filch__record *inner; /* as struct filch__outer */
	struct filch__loose *older, *newer;
	struct filch_group *group;
	struct filch_pool
		*held; /* it is spawned on another pool than the group's, or NULL */
};
_Static_assert(offsetof(struct filch__loose, inner) ==
                       offsetof(struct filch__outer, inner),
               "begins like it");

/* All: on the strand's own thread, inside. */
static inline void filch__loose_push(struct filch__strand *s, struct filch__loose *l)
{
	l->older = s->newest;
	l->newer = NULL;
	if (s->newest)
		s->newest->newer = l;
	else
		s->oldest = l;
	s->newest = l;
}

/* Takes l out of wherever in the list it is. */
static inline void filch__loose_remove(struct filch__strand *s, struct filch__loose *l)
{
	if (l->newer)
		l->newer->older = l->older;
	else
		s->newest = l->older;
	if (l->older)
		l->older->newer = l->newer;
	else
		s->oldest = l->newer;
}

static inline struct filch__loose *filch__loose_pop(struct filch__strand *s)
{
	struct filch__loose *l = s->newest;

	filch__loose_remove(s, l);
	return l;
}

static inline struct filch__loose *filch__loose_pop_oldest(struct filch__strand *s)
{
	struct filch__loose *l = s->oldest;

	filch__loose_remove(s, l);
	return l;
}

static inline void filch__loose_push_oldest(struct filch__strand *s,
                                            struct filch__loose *l)
{
	l->older = NULL;
	l->newer = s->oldest;
	if (s->oldest)
		s->oldest->older = l;
	else
		s->newest = l;
	s->oldest = l;
}

static inline bool filch__is_loose(const struct filch__record *r)
{
	return filch__record_task(r)->size == 0;
}

/* The task that the user has written: it lasts as long as its library, while a record may be
 * gone as soon as it is done. */
static inline const struct filch__task *filch__users_task(const struct filch__record *r)
{
	return filch__record_task(
		filch__is_loose(r) ? ((const struct filch__outer *)r)->inner : r);
}

/* Makes an exposed record, got back from the deque, private again. */
static inline void filch__unexpose(struct filch__strand *s, struct filch__record *r)
{
	filch__record_hide(r);
	if (filch__is_loose(r))
		filch__loose_push(s, (struct filch__loose *)r);
}

#endif
