/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief stops between reserving and reading. The owner needs the block, sets it aside
 * and goes on with another; when the thief is done, the block comes back.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/aside"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(2);
	start(steal_once);
	put(1);
	if (s->q.order.aside)
		COVER("set aside");
	wait_for_thieves();
	steal(scene());
	put(1);
	steal(scene());
	put(1);
	finish();
}
