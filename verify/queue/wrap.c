/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * All counters, levels and tags pass from their largest value to 0 under a thief.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/wrap"))
{
	static const struct filch_queue_options o = {1, 2, true, UINT64_MAX};

	begin(&state, &o);
	put(2);
	start(steal_twice);
	get(1);
	put(2);
	get(1);
	finish();
}
