/* SPDX-License-Identifier: MIT */
/* fails: deadlock */
/*
 * Two threads wait for each other.
 */
#include "broken/frame.h"

static void *other(void *arg)
{
	if (load_rlx(&s->x))
		client_join(0);
	return arg;
}

CLIENT("broken/deadlock")
{
	client_thread t;

	begin(&state);
	t = client_spawn("other", other, 0);
	store_rlx(&s->x, 1);
	client_join(t);
}
