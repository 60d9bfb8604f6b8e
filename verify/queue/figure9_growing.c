/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev */
/*
 * figure9 in a queue that grows: no put is refused.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/figure9_growing"))
{
	static const struct filch_queue_options o = {2, 2, false, 0};

	begin(&state, &o);
	start(steal_once);
	start(steal_twice);
	three_rounds();
	CHECK(s->in == 0xfff * FIRST);
	finish();
}
