/* SPDX-License-Identifier: MIT */
/* fails: CHECK */
/*
 * A queue whose thieves load and store the index instead of swapping it: an item goes to
 * two of them.
 */
#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

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

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	t = client_spawn("thief", thief, 0);
	mine = steal();
	client_join(t);
	CHECK(mine + s->data == 3);
}
