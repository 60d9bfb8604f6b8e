/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * Two thieves and the owner are after two entries, and then the owner puts another one.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/last"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(2);
	start(steal_once);
	start(steal_once);
	get(1);
	put(1);
	finish();
}
