/* SPDX-License-Identifier: MIT */
/* fails: deadlock */
/*
 * Two threads wait for each other.
 */
#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

static void *other(void *arg)
{
	if (load_rlx(&s->x))
		client_join(0);
	return arg;
}

CLIENT("broken/deadlock")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	t = client_spawn("other", other, 0);
	store_rlx(&s->x, 1);
	client_join(t);
}
