/* SPDX-License-Identifier: MIT */
/*
 * A strand waits, while threads outside its pool cancel its group and give. It goes on, and
 * was the last task of its pool, which is ended: not before those threads are through.
 */
#include <sched.h>

#include "sched/waits.h"

#define run_loose group_run_loose /* strand.c has one, too */
#include "task/group.c"

/* Who waits in a loop for another thread goes on when that one is done. */
#define sched_yield() ASSUME(false)
#define pthread_barrier_destroy(b) ((void)(b)) /* no threads were started */
#include "sched/nothing.h"
#include "sched/pool.c"

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
	play->pool = pool_new();
	play->strand = malloc(sizeof *play->strand);
	atomic_init(&play->strand->state, 0);
	play->strand->ready.kind = FILCH__READY_STRAND;
	play->strand->pool = play->pool;
	play->strand->stack = (struct filch__stack *)play->strand;
}

CLIENT("sched/guest")
{
	client_thread t1, t2;
	struct frame *f;
	int got;

	s = &state;
	begin_all();
	s->group.begun = BEGUN;
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
	filch__pool_release(play->pool);
	CHECK(!filch_pool_destroy(play->pool));
	free(play->strand);
	client_join(t1);
	client_join(t2);
}
