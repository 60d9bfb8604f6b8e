/* SPDX-License-Identifier: MIT */
/*
 * A strand waits, while threads outside its pool cancel its group and give. The strand
 * resumes; its task was the last one of its pool, which is ended: not before those threads
 * have finished with the pool.
 */
#include "pool/nothing.h"
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

static void begin_all(void)
{
	play_begin(&s->play);
	play->pool = pool_of_nothing();
	play->strand = malloc(sizeof *play->strand);
	atomic_init(&play->strand->state, 0);
	play->strand->ready.kind = FILCH__READY_STRAND;
	play->strand->pool = play->pool;
	play->strand->stack = (struct filch__stack *)play->strand;
}

CLIENT("pool/guest")
{
	client_thread t1, t2;
	struct frame *f;
	int got;

	s = &state;
	begin_all();
	s->group.begun = FILCH__BEGUN;
	t1 = client_spawn("giver", giver_1, 0);
	t2 = client_spawn("canceller", canceller, 0);
	f = frame_new(1);
	f->wait.group = &s->group;
	if (wait_for(f, FILCH_NEVER, &got) > 0)
		COVER("given");
	else
		COVER("was there, or cancelled");
	if (play->stopped)
		client_join(play->thread); /* as all of the pool's are */
	filch__pool_release(play->pool, NULL);
	CHECK(!filch_pool_destroy(play->pool));
	free(play->strand);
	client_join(t1);
	client_join(t2);
}
