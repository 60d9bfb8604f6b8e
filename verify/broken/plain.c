/* SPDX-License-Identifier: MIT */
/* fails: plain read of an atomic word */
/*
 * An atomic word is read without an operation.
 */
#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

static void *reader(void *arg)
{
	s->data = *(volatile int *)&s->x;
	return arg;
}

CLIENT("broken/plain")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	client_join(t);
}
