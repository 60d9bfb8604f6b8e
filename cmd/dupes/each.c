/* SPDX-License-Identifier: MIT */
#include "cmd/dupes/each.h"

#include <filch.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cmd/dupes/dupes.h"

struct loop {
	size_t n, size;
	void (*body)(size_t i, void *scratch, void *context);
	void *context;
	_Atomic(size_t) next;
};

/* Takes the next item. Relaxed: the counter only divides the items among the lanes; what
 * the bodies write becomes visible through the group. */
static size_t take(struct loop *l)
{
	return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
}

FILCH_STATIC_TASK_VOID(lane, (struct loop *, l))
{
	size_t i = take(l);
	void *scratch;

	if (i >= l->n)
		return;
	scratch = malloc(l->size ? l->size : 1);
	if (!scratch)
		dupes_no_memory();
	for (; i < l->n; i = take(l))
		l->body(i, scratch, l->context);
	free(scratch);
}

void each(size_t n, size_t lanes, size_t size,
          void (*body)(size_t i, void *scratch, void *context), void *context)
{
	struct loop l = {n, size, body, context, 0};
	struct filch_group g;

	filch_group_begin(&g);
	for (size_t i = 0; i < n && i < lanes; i++)
		FILCH_GROUP_SPAWN(&g, lane, &l);
	filch_group_wait(&g);
}
