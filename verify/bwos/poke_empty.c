/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A poke that finds the owner with nothing to give stands until it has something.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/poke_empty"))
{
	static const struct filch_queue_options o = {4, 2, false, 0};

	begin(&state, &o);
	put(1);
	start(steal_once);
	get(1);
	wait_for_thieves();
	put(1);
	if (s->thief[0].result == FILCH_EMPTY) {
		COVER("poked");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
