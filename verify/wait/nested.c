/* SPDX-License-Identifier: MIT */
/*
 * A strand waits in a group that was begun in another one, which is cancelled: the strand
 * does not wait for ever, and neither group knows of it in the end.
 */
#include "task/group.c"
#include "wait/waits.h"

struct state {
	struct play play;
	struct filch_group outer, inner;
};

static struct state *s;

static void *canceller(void *arg)
{
	filch_group_cancel(&s->outer);
	return arg;
}

CLIENT("wait/nested")
{
	struct frame *f;
	client_thread t;
	int got;

	s = &state;
	play_begin(&s->play);
	s->inner.parent = &s->outer;
	s->outer.begun = FILCH__BEGUN;
	s->inner.begun = FILCH__BEGUN;
	t = client_spawn("canceller", canceller, 0);
	f = frame_new(1);
	f->wait.group = &s->inner;
	CHECK(wait_for(f, FILCH_NEVER, &got) == 0);
	COVER("cancelled");
	if (s->inner.known)
		COVER("the outer one knows of it");
	filch__group_part(&s->inner);
	client_join(t);
	CHECK(filch__list_empty(&s->inner.waits) && filch__list_empty(&s->outer.inner));
	play_end();
}
