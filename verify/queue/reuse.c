/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * The owner fills again what a thief has just read, in a queue that is full.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/reuse"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(2);
	start(steal_twice);
	put(2);
	get(1);
	put(1);
	finish();
}
