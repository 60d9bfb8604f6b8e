/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev abp runq */
/*
 * The client of Wang et al. (BWoS, OSDI'23, figure 9): two blocks of two entries, three
 * rounds of put and get, and two thieves that steal one and two.
 */
#include "queue/frame.h"

CLIENT(TITLE("queue/figure9"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	start(steal_once);
	start(steal_twice);
	three_rounds();
	finish();
}
