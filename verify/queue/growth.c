/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev */
/*
 * The queue grows while a thief looks at what it was before.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/growth"))
{
	static const struct filch_queue_options o = {1, 2, false, 0};

	begin(&state, &o);
	put(2);
	start(steal_twice);
	put(3);
	get(1);
	CHECK(s->in == 31 * FIRST); /* none was refused */
	finish();
}
