/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * Two thieves take batches of the same block, and the owner fills it again.
 */
#include "queue/frame.h"

static void *steal_two(void *arg)
{
	steal_batch(arg, 2);
	return 0;
}

CLIENT(TITLE("queue/batches"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	put(3);
	start(steal_two);
	start(steal_two);
	put(1);
	get(1);
	put(1);
	finish();
}
