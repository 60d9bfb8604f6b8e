/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * Blocks of one entry: every put goes to another block, every get comes from one.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/single"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(1);
	start(steal_once);
	start(steal_once);
	put(2);
	get(2);
	put(2);
	get(1);
	finish();
}
