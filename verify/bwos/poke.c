/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief that finds nothing leaves a poke, which is never lost: when the owner has put
 * once more, there is something to steal.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/poke"))
{
	static const struct filch_queue_options o = {4, 2, false, 0};

	begin(&state, &o);
	put(1);
	start(steal_once);
	put(1);
	wait_for_thieves();
	put(1);
	if (s->thief[0].result == FILCH_EMPTY) {
		COVER("poked");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
