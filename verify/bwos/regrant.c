/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A block is granted, taken back and granted again, at the same level, under a thief that
 * looked at the first grant.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/regrant"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	put(3);
	start(steal_once);
	get(2);
	put(2);
	get(2);
	put(1);
	finish();
}
