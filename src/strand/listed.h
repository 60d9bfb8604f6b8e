/* SPDX-License-Identifier: MIT */
/*
 * Listed records: private records that are in a list of their strand, the newest last.
 *
 * Files compiled with FILCH_EXACT have no others: their records are found by the list
 * alone, so nothing on a stack can be taken for one. Files compiled with FILCH_DEBUG mark
 * their records as any other file does and list them too, so that a debug build of the
 * library can compare what it finds on the stack with the list.
 *
 * A private record does not use `sync` and `group` yet: the links lie there.
 */
#ifndef FILCH_STRAND_LISTED_H
#define FILCH_STRAND_LISTED_H

#include "base/list.h"
#include "strand/record.h"
#include "strand/strand.h"

/* The mark of a record that only the list leads to. */
#define FILCH__LISTED_ONLY ((uint64_t)(FILCH__LIVE | FILCH__LISTED))

_Static_assert(offsetof(struct filch__record, group) ==
                               offsetof(struct filch__record, sync) +
                                       offsetof(struct filch__link, prev) &&
                       sizeof(struct filch__link) == 2 * sizeof(uintptr_t),
               "the links fit between sync and the end of group");

static inline struct filch__link *filch__listed_link(struct filch__record *r)
{
	return (struct filch__link *)(void *)&r->sync;
}

static inline bool filch__is_listed(const struct filch__record *r)
{
	return r->mark & FILCH__LISTED;
}

/* The operations on a strand's list. Caller: the strand's own thread, inside; or it holds
 * the strand. */
static inline void filch__listed_push(struct filch__strand *s, struct filch__record *r)
{
	filch__signal_fence(); /* the bytes change their type here */
	filch__list_push_last(&s->listed, filch__listed_link(r));
}

static inline void filch__listed_remove(struct filch__strand *s, struct filch__record *r)
{
	filch__list_remove(&s->listed, filch__listed_link(r));
	filch__signal_fence(); /* the bytes change their type here */
}

static inline struct filch__record *filch__listed_at(struct filch__link *link)
{
	return FILCH__HOLDER(link, struct filch__record, sync);
}

static inline struct filch__record *filch__listed_oldest(const struct filch__strand *s)
{
	return filch__listed_at(s->listed.first);
}

static inline struct filch__record *filch__listed_newest(const struct filch__strand *s)
{
	return filch__listed_at(s->listed.last);
}

static inline struct filch__record *filch__listed_newer(struct filch__record *r)
{
	return filch__listed_at(filch__listed_link(r)->next);
}

#endif
