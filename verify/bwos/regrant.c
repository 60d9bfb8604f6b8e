/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A block is granted, taken back and granted again, at the same level, under a thief that
 * looked at the first grant.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/regrant"))
{
	static const struct filch_queue_options lifo = {2, 2, true, 0};
	static const struct filch_queue_options fifo = {4, 4, true, 0};

	if (IS_FIFO) {
		/* The second block is granted; taken over with a thief at work, its
		 * newer half is granted again. */
		begin(&state, &fifo);
		put(9);
		start(steal_twice);
		get(6);
	} else {
		begin(&state, &lifo);
		put(3);
		start(steal_once);
		get(2);
		put(2);
		get(2);
		put(1);
	}
	finish();
}
