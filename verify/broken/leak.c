/* SPDX-License-Identifier: MIT */
/* fails: never freed */
/*
 * Only one of two ways frees the memory.
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
	if (load_rlx(&s->x))
		store_rlx(&s->y, 1);
	return arg;
}

CLIENT("broken/leak")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("other", other, 0);
	store_rlx(&s->x, 1);
	client_join(t);
	if (load_rlx(&s->y))
		free(s->p);
}
