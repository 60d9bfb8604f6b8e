/* SPDX-License-Identifier: MIT */
/* fails: data race */
/*
 * A message is passed without a release: its data are read and written unordered.
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
	if (load_acq(&s->x))
		CHECK(s->data == 1);
	return arg;
}

CLIENT("broken/race")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
	t = client_spawn("reader", reader, 0);
	s->data = 1;
	store_rlx(&s->x, 1);
	client_join(t);
}
