/* SPDX-License-Identifier: MIT */
/*
 * A strand waits, while its group is cancelled and a thread gives: the strand resumes once,
 * the group has forgotten it, and either it has what was given, or that is still there.
 */
#include "task/group.c"
#include "wait/waits.h"

struct state {
	struct play play;
	struct filch_group group;
};

static struct state *s;

static void *canceller(void *arg)
{
	filch_group_cancel(&s->group);
	return arg;
}

CLIENT("wait/cancelled")
{
	struct frame *f;
	client_thread t1, t2;
	int which, got;

	s = &state;
	play_begin(&s->play);
	s->group.begun = FILCH__BEGUN;
	t1 = client_spawn("giver", giver_1, 0);
	t2 = client_spawn("canceller", canceller, 0);
	f = frame_new(1);
	f->wait.group = &s->group;
	which = wait_for(f, FILCH_NEVER, &got);
	client_join(t1);
	client_join(t2);
	CHECK((which > 0) == play->thing[0].given);
	CHECK((which > 0) == (got == 7));
	CHECK(filch__list_empty(&s->group.waits));
	if (which > 0)
		COVER("given");
	else if (which == 0)
		COVER("cancelled");
	play_end();
}
