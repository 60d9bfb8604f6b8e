/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * The owner adds to a grant that a thief is stealing from.
 */
#include "queue/frame.h"

CLIENT(TITLE("bwos/extend"))
{
	static const struct filch_queue_options o = {4, 2, true, 0};

	begin(&state, &o);
	put(1);
	steal(scene()); /* nothing: pokes */
	put(1);         /* grants one */
	get(1);
	steal(scene());
	steal(scene()); /* nothing: pokes */
	start(steal_once);
	put(1); /* extends the grant by this entry */
	put(1);
	finish();
}
