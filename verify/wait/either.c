/* SPDX-License-Identifier: MIT */
/*
 * A strand waits for two things, which two threads give: the strand has one of them, and
 * the other one is still there.
 */
#include "wait/waits.h"

struct state {
	struct play play;
};

CLIENT("wait/either")
{
	client_thread t1, t2;
	int which, got;

	play_begin(&state.play);
	t1 = client_spawn("giver 1", giver_1, 0);
	t2 = client_spawn("giver 2", giver_2, 0);
	which = wait_for(frame_new(2), FILCH_NEVER, &got);
	client_join(t1);
	client_join(t2);
	CHECK(which != 0);
	for (int i = 0; i < 2; i++) {
		CHECK(play->thing[i].given == (which == 1 + i));
		CHECK(play->thing[i].there == (which == 1 + i ? 0 : 7 + i));
	}
	CHECK(got == (which < 0 ? 0 : 6 + which));
	if (which == 1)
		COVER("the first");
	if (which == 2)
		COVER("the second");
	play_end();
}
