/* SPDX-License-Identifier: MIT */
/*
 * Two workers that are counted in two parts of the tally, and two items: neither worker
 * sleeps for ever, whichever part a notifier looks into first.
 */
#define FILCH__TALLY_EACH 1u
#include "park/frame.h"

CLIENT("park/parts")
{
	client_thread t1, t2;

	begin(&state, 2);
	t1 = client_spawn("worker 1", worker_1, 0);
	t2 = client_spawn("worker 2", worker_2, 0);
	produce();
	produce();
	client_join(t1);
	client_join(t2);
	CHECK(load_rlx(&s->items) == 0);
	CHECK(filch__tally_sum(&s->lot.idle) == 0);
}
