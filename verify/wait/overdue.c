/* SPDX-License-Identifier: MIT */
/*
 * A strand waits until a time, which passes while its group is cancelled: it resumes once,
 * and the timers and the group have forgotten it.
 */
#include "sched/lookout.c"
#include "task/group.c"
#include "wait/waits.h"

struct state {
	struct play play;
	struct filch_group group;
};

static struct state *s;

static void *lookout(void *arg)
{
	fire(&play->lookout);
	return arg;
}

static void *canceller(void *arg)
{
	filch_group_cancel(&s->group);
	return arg;
}

CLIENT("wait/overdue")
{
	struct frame *f;
	client_thread t1, t2;
	int got;

	s = &state;
	play_begin(&s->play);
	s->group.begun = FILCH__BEGUN;
	t1 = client_spawn("lookout", lookout, 0);
	t2 = client_spawn("canceller", canceller, 0);
	f = frame_new(1);
	f->wait.group = &s->group;
	CHECK(wait_for(f, VERIFY_NOW, &got) == 0);
	if (filch__group_cancelled(&s->group))
		COVER("cancelled");
	else
		COVER("timed out");
	client_join(t1);
	client_join(t2);
	CHECK(filch__list_empty(&s->group.waits));
	play_end();
}
