/* SPDX-License-Identifier: MIT */
/* fails: read of freed memory */
/*
 * The writer frees what the reader has been given.
 */
#include "broken/frame.h"

static void *reader(void *arg)
{
	if (load_acq(&s->x) && load_acq(&s->y))
		s->data = *s->p;
	return arg;
}

CLIENT("broken/freed")
{
	client_thread t;

	begin(&state);
	s->p = malloc(sizeof *s->p);
	*s->p = 7;
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	free(s->p);
	store_rel(&s->y, 1);
	client_join(t);
}
