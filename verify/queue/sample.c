/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * A thief asks how much there is while the queue grows or fills: no harm comes of it.
 */
#include "queue/frame.h"

static void *look(void *arg)
{
	struct worker *w = arg;

	if (QUEUE_FN(sample)(&w->thief))
		COVER("something there");
	if (QUEUE_FN(size_hint)(&s->q))
		COVER("some size");
	return 0;
}

CLIENT(TITLE("queue/sample"))
{
	static const struct filch_queue_options o = {1, 2, false, 0};

	begin(&state, &o);
	put(1);
	start(look);
	put(2);
	get(1);
	finish();
}
