/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief that mixes the word of one grant with the end of another does not take a block
 * for drained that is not: when something is granted, a thief finds it.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/mixed"))
{
	static const struct filch_queue_options o = {2, 2, false, 0};

	begin(&state, &o);
	put(3);
	steal(scene());
	start(steal_once);
	get(3);
	put(1);
	steal(scene());
	put(1);
	wait_for_thieves();
	if (filch__order_granted(&s->q.order)) {
		COVER("granted");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
