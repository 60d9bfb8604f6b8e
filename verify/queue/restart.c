/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * The queue runs empty and begins anew under the hands of a thief.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/restart"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(1);
	start(steal_twice);
	get(2);
	put(2);
	get(2);
	finish();
}
