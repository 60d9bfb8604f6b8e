/* SPDX-License-Identifier: MIT */
/* fails: freed twice */
/*
 * Both threads free the same memory, one after the other.
 */
#include "broken/frame.h"

static void *other(void *arg)
{
	if (load_acq(&s->x))
		free(s->p);
	return arg;
}

CLIENT("broken/freed_twice")
{
	client_thread t;

	begin(&state);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("other", other, 0);
	store_rel(&s->x, 1);
	client_join(t);
	free(s->p);
}
