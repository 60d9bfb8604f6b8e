/* SPDX-License-Identifier: MIT */
/* fails: data race */
/*
 * A message is passed without a release: its data are read and written unordered.
 */
#include "broken/frame.h"

static void *reader(void *arg)
{
	if (load_acq(&s->x))
		CHECK(s->data == 1);
	return arg;
}

CLIENT("broken/race")
{
	client_thread t;

	begin(&state);
	t = client_spawn("reader", reader, 0);
	s->data = 1;
	store_rlx(&s->x, 1);
	client_join(t);
}
