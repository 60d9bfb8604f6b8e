/* SPDX-License-Identifier: MIT */
/*
 * A thread outside any pool waits, for good or until a time that has passed, while another
 * thread gives: the first one has what was given, or that is still there.
 */
#include "wait/waits.h"

struct state {
	struct play play;
};

CLIENT("wait/stranger")
{
	struct frame *f;
	client_thread t;
	int which, got;

	play_begin(&state.play);
	t = client_spawn("giver", giver_1, 0);
	f = frame_new(1);
	f->wait.pool = NULL;
	which = wait_for(f, explore_choose(2) ? VERIFY_NOW : FILCH_NEVER, &got);
	client_join(t);
	CHECK((which > 0) == play->thing[0].given);
	CHECK((which > 0) == (got == 7));
	if (which > 0)
		COVER("given");
	else if (which == 0)
		COVER("timed out");
	play_end();
}
