/* SPDX-License-Identifier: MIT */
/* fails: freed twice */
/*
 * Both threads free the same memory, one after the other.
 */
#include <stdlib.h>

#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

static void *other(void *arg)
{
	if (load_acq(&s->x))
		free(s->p);
	return arg;
}

CLIENT("broken/freed_twice")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("other", other, 0);
	store_rel(&s->x, 1);
	client_join(t);
	free(s->p);
}
