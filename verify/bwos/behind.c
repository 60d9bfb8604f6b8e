/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief that comes late from an old level does not lead others past what is there: when
 * something is granted, a thief finds it.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/behind"))
{
	static const struct filch_queue_options o = {1, 2, true, 0};

	begin(&state, &o);
	put(2);
	steal(scene());
	start(steal_twice);
	start(steal_once);
	put(1);
	wait_for_thieves();
	put(1);
	if (filch__order_granted(&s->q.order)) {
		COVER("granted");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
