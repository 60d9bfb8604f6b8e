/* SPDX-License-Identifier: MIT */
/* fails: it was never initialised */
/*
 * An atomic word in new memory is read before it has a value.
 */
#include "broken/frame.h"

static void *reader(void *arg)
{
	if (load_acq(&s->x))
		s->data = load_rlx((_Atomic(long) *)s->p);
	return arg;
}

CLIENT("broken/uninitialised")
{
	client_thread t;

	begin(&state);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	client_join(t);
	free(s->p);
}
