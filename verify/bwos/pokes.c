/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief pokes, steals what it is given and pokes again, while the owner is still busy
 * with the answer: the second poke is not lost in it.
 */
#include "queue/frame.h"

static void *steal_thrice(void *arg)
{
	if (steal(arg) == FILCH_EMPTY && steal(arg) == FILCH_OK)
		steal(arg);
	return 0;
}

CLIENT(TITLE("bwos/pokes"))
{
	static const struct filch_queue_options o = {4, 2, false, 0};

	begin(&state, &o);
	put(1);
	start(steal_thrice);
	put(1);
	wait_for_thieves();
	put(1);
	if (s->thief[0].result == FILCH_EMPTY) {
		if (s->thief[0].taken)
			COVER("poked twice");
		CHECK(steal(scene()) == FILCH_OK);
	}
	finish();
}
