/* SPDX-License-Identifier: MIT */
/* fails: memory that was never written */
/*
 * What is published has not been filled in.
 */
#include "broken/frame.h"

static void *reader(void *arg)
{
	if (load_acq(&s->x))
		s->data = *s->p;
	return arg;
}

CLIENT("broken/unwritten")
{
	client_thread t;

	begin(&state);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	client_join(t);
	free(s->p);
}
