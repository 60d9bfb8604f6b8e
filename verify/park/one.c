/* SPDX-License-Identifier: MIT */
/*
 * One worker: what is made stealable while it goes to sleep wakes it, once and again.
 */
#include "park/frame.h"

static void *worker(void *arg)
{
	work_once(0);
	work_once(0);
	return arg;
}

CLIENT("park/one")
{
	client_thread t;

	begin(&state, 1);
	t = client_spawn("worker", worker, 0);
	produce();
	produce();
	client_join(t);
	CHECK(load_rlx(&s->items) == 0);
	CHECK(filch__tally_sum(&s->lot.idle) == 0);
}
