/* SPDX-License-Identifier: MIT */
/*
 * Two workers, and two producers that may call the same one.
 */
#include "park/frame.h"

static void *producer(void *arg)
{
	produce();
	return arg;
}

CLIENT("park/producers")
{
	client_thread t1, t2, t3;

	begin(&state, 2);
	t1 = client_spawn("worker 1", worker_1, 0);
	t2 = client_spawn("worker 2", worker_2, 0);
	t3 = client_spawn("producer", producer, 0);
	produce();
	client_join(t1);
	client_join(t2);
	client_join(t3);
	CHECK(load_rlx(&s->items) == 0);
	CHECK(filch__tally_sum(&s->lot.idle) == 0);
}
