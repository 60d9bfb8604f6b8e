/* SPDX-License-Identifier: MIT */
/* fails: CHECK */
/*
 * A queue whose thieves load and store the index instead of swapping it: an item goes to
 * two of them.
 */
#include "broken/frame.h"

static long steal(void)
{
	int i = load_rlx(&s->x);

	store_rlx(&s->x, i + 1);
	return 1 << i;
}

static void *thief(void *arg)
{
	s->data = steal();
	return arg;
}

CLIENT("broken/doubled")
{
	client_thread t;
	long mine;

	begin(&state);
	t = client_spawn("thief", thief, 0);
	mine = steal();
	client_join(t);
	CHECK(mine + s->data == 3);
}
