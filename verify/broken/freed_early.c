/* SPDX-License-Identifier: MIT */
/* fails: read of freed memory */
/*
 * The writer frees what the reader may be reading.
 */
#include <stdlib.h>

#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

static void *reader(void *arg)
{
	if (load_acq(&s->x))
		s->data = *s->p;
	return arg;
}

CLIENT("broken/freed_early")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	s->p = malloc(sizeof *s->p);
	*s->p = 7;
	t = client_spawn("reader", reader, 0);
	store_rel(&s->x, 1);
	free(s->p);
	client_join(t);
}
