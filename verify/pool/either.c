/* SPDX-License-Identifier: MIT */
/*
 * A thread outside waits, as a worker of a pool, for one of two things. The thread that
 * gives the first one then ends the pool: not before the other giver, which may have won,
 * has called the worker.
 */
#include "pool/nothing.h"
#include "wait/waits.h"

struct state {
	struct play play;
};

static bool ended; /* plain: read after a join */

static void *owner(void *arg)
{
	giver_1(NULL);
	filch__pool_release(play->pool, NULL);
	ended = !filch_pool_destroy(play->pool);
	return arg;
}

CLIENT("pool/either")
{
	client_thread t1, t2;
	struct frame *f;
	int which, got;

	play_begin(&state.play);
	play->pool = play->lends = pool_of_nothing();
	ended = false;
	t1 = client_spawn("owner", owner, 0);
	t2 = client_spawn("giver", giver_2, 0);
	f = frame_new(2);
	f->wait.pool = NULL;
	which = wait_for(f, FILCH_NEVER, &got);
	client_join(t1);
	client_join(t2);
	if (which == 2)
		COVER("the other");
	CHECK(ended || !filch_pool_destroy(play->pool));
}
