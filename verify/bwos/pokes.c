/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * Two thieves poke while the owner answers: what it grants is stolen or taken back, and a
 * poke during the answer is not lost.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/pokes"))
{
	static const struct filch_queue_options o = {4, 2, false, 0};

	begin(&state, &o);
	put(2);
	start(steal_once);
	start(steal_once);
	put(1);
	wait_for_thieves();
	put(2);
	if (s->thief[0].result == FILCH_EMPTY || s->thief[1].result == FILCH_EMPTY) {
		COVER("poked");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
