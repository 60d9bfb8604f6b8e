/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * A thief takes several entries at once, in their order, while the owner takes back.
 */
#include "queue/frame.h"

static void *steal_two(void *arg)
{
	steal_batch(arg, 2);
	return 0;
}

CLIENT(TITLE("queue/batch"))
{
	static const struct filch_queue_options o = {2, 4, true, 0};

	begin(&state, &o);
	put(6);
	start(steal_two);
	get(5);
	put(1);
	finish();
}
