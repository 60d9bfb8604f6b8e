/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * The owner takes back what a thief is stealing: each entry goes to one of them.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/takeover"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	put(3);
	start(steal_twice);
	get(3);
	finish();
}
