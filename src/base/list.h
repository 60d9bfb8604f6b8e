/* SPDX-License-Identifier: MIT */
/*
 * A list of things that carry their own links. The list is empty when its bytes are zero,
 * so a static or cleared object that holds one needs no initialisation. Nothing here
 * locks: each user says which lock guards its list.
 *
 *   struct item { int value; struct filch__link link; };
 *
 *   filch__list_push_last(&list, &item->link);
 *   struct item *i = FILCH__HOLDER(list.first, struct item, link);
 */
#ifndef FILCH_BASE_LIST_H
#define FILCH_BASE_LIST_H

#include <assert.h>
#include <filch/detail/list.h>
#include <stdbool.h>
#include <stddef.h>

/* The struct that holds this link, or NULL for NULL. */
#define FILCH__HOLDER(at, type, member) \
	((type *)filch__list_holder((at), offsetof(type, member)))

static inline void *filch__list_holder(struct filch__link *at, size_t offset)
{
	return at ? (char *)at - offset : NULL;
}

static inline bool filch__list_empty(const struct filch__list *l)
{
	assert(!l->first == !l->last);
	return !l->first;
}

/* Puts x between two neighbours, of which either may be missing. */
static inline void filch__list_insert(struct filch__list *l, struct filch__link *x,
                                      struct filch__link *prev, struct filch__link *next)
{
	x->prev = prev;
	x->next = next;
	*(prev ? &prev->next : &l->first) = x;
	*(next ? &next->prev : &l->last) = x;
}

static inline void filch__list_push_last(struct filch__list *l, struct filch__link *x)
{
	filch__list_insert(l, x, l->last, NULL);
}

static inline void filch__list_push_first(struct filch__list *l, struct filch__link *x)
{
	filch__list_insert(l, x, NULL, l->first);
}

/* Takes x out, wherever in the list it is. */
static inline void filch__list_remove(struct filch__list *l, struct filch__link *x)
{
	assert(x->prev ? x->prev->next == x : l->first == x);
	assert(x->next ? x->next->prev == x : l->last == x);
	*(x->prev ? &x->prev->next : &l->first) = x->next;
	*(x->next ? &x->next->prev : &l->last) = x->prev;
}

/* Asserts the links of the last `most` entries, in both directions. Returns how many
 * entries that were. */
static inline size_t filch__list_check(const struct filch__list *l, size_t most)
{
	const struct filch__link *next = NULL;
	size_t n = 0;

	for (const struct filch__link *x = l->last; x && n < most; x = x->prev, n++) {
		assert(x->next == next);
		next = x;
	}
	assert(n == most || l->first == next);
	(void)next;
	return n;
}

#endif
