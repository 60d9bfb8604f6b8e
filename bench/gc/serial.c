/* SPDX-License-Identifier: MIT */
#include "bench/gc/mark.h"
#include "bench/gc/stack.h"

static inline void visit(struct gc_stack *s, struct gc_object *o)
{
	if (load_rlx(&o->mark)) /* one thread */
		return;
	store_rlx(&o->mark, 1); /* one thread */
	gc_stack_put(s, (filch_entry)o);
}

uint64_t gc_mark_serial(struct gc_heap *h)
{
	struct gc_stack s = {0};
	uint64_t edges = 0;

	for (size_t i = 0; i < h->roots; i++)
		visit(&s, gc_object_at(h->base, h->root[i]));
	while (s.n) {
		const struct gc_object *o = (struct gc_object *)s.entry[--s.n];

		for (uint32_t i = o->count; i-- > 0;)
			if (o->ref[i]) {
				edges++;
				visit(&s, gc_object_at(h->base, o->ref[i]));
			}
	}
	free(s.entry);
	return edges;
}
