/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * figure9 with a third thief, which steals one.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/figure9_three"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	start(steal_once);
	start(steal_twice);
	start(steal_once);
	three_rounds();
	finish();
}
