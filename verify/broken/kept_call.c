/* SPDX-License-Identifier: MIT */
/* fails: lost wake-up */
/*
 * Parking, with a worker that was called, found work by itself, and does not pass the call
 * on: the other one sleeps though there is an item.
 */
#define PASS_ON false
#include "park/frame.h"

CLIENT("broken/kept_call")
{
	client_thread t1, t2;

	begin(&state, 2);
	t1 = client_spawn("worker 1", worker_1, 0);
	t2 = client_spawn("worker 2", worker_2, 0);
	produce();
	produce();
	client_join(t1);
	client_join(t2);
}
