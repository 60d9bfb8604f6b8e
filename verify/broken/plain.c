/* SPDX-License-Identifier: MIT */
/* fails: plain read of an atomic word */
/*
 * An atomic word is read without an operation.
 */
#include "broken/frame.h"

static void *reader(void *arg)
{
	s->data = *(volatile int *)&s->x;
	return arg;
}

CLIENT("broken/plain")
{
	client_thread t;

	begin(&state);
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	client_join(t);
}
