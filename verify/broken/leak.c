/* SPDX-License-Identifier: MIT */
/* fails: never freed */
/*
 * Only one of two ways frees the memory.
 */
#include "broken/frame.h"

static void *other(void *arg)
{
	if (load_rlx(&s->x))
		store_rlx(&s->y, 1);
	return arg;
}

CLIENT("broken/leak")
{
	client_thread t;

	begin(&state);
	s->p = malloc(sizeof *s->p);
	t = client_spawn("other", other, 0);
	store_rlx(&s->x, 1);
	client_join(t);
	if (load_rlx(&s->y))
		free(s->p);
}
