/* SPDX-License-Identifier: MIT */
/*
 * A thread outside waits, as a worker of a pool, for what another thread outside gives it.
 * Then it ends the pool: not before that thread has finished with the pool.
 */
#include "pool/nothing.h"
#include "wait/waits.h"

struct state {
	struct play play;
};

CLIENT("pool/borrower")
{
	client_thread t;
	struct frame *f;
	int got;

	play_begin(&state.play);
	play->pool = play->lends = pool_of_nothing();
	t = client_spawn("giver", giver_1, 0);
	f = frame_new(1);
	f->wait.pool = NULL;
	if (wait_for(f, FILCH_NEVER, &got) > 0) {
		COVER("given");
		CHECK(got == 7);
	}
	filch__pool_release(play->pool, NULL);
	CHECK(!filch_pool_destroy(play->pool));
	client_join(t);
}
