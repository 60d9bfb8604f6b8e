/* SPDX-License-Identifier: MIT */
/*
 * A strand waits until a time, which passes while a thread gives: the strand resumes once,
 * and either has what was given, or that is still there.
 */
#include "sched/lookout.c"
#include "wait/waits.h"

struct state {
	struct play play;
};

static void *lookout(void *arg)
{
	fire(&play->lookout);
	return arg;
}

CLIENT("wait/timeout")
{
	client_thread t1, t2;
	int which, got;

	play_begin(&state.play);
	t1 = client_spawn("giver", giver_1, 0);
	t2 = client_spawn("lookout", lookout, 0);
	which = wait_for(frame_new(1), VERIFY_NOW, &got);
	client_join(t1);
	client_join(t2);
	CHECK((which > 0) == play->thing[0].given);
	CHECK((which > 0) == (got == 7));
	if (which > 0)
		COVER("given");
	else if (which == 0)
		COVER("timed out");
	play_end();
}
