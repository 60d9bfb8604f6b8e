/* SPDX-License-Identifier: MIT */
/*
 * Two wakers with tickets of one wait. The strand, once woken, is gone, and another strand
 * waits in its place: the late waker does not wake that one.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__strand strand;
	struct filch__record record;
	struct filch__ticket ticket;
	uint32_t woke[2];
};

static struct state *s;

static const struct filch__task task = {"task", NULL, sizeof(struct filch__record), NULL};

static void wake(int i)
{
	s->woke[i] = filch__wake_ticket(&scene->pool, s->ticket);
	if (!s->woke[i])
		COVER("too late");
}

static void *waker_1(void *arg)
{
	wake(0);
	return arg;
}

static void *waker_2(void *arg)
{
	wake(1);
	return arg;
}

CLIENT("strand/late")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	s->record.task = &task;
	stop(&s->strand, false);
	s->ticket = filch__ticket(&s->strand);
	t1 = client_spawn("waker 1", waker_1, 0);
	t2 = client_spawn("waker 2", waker_2, 0);
	CHECK(wait_for_work(&scene->seat[0]).strand == &s->strand);
	/* As strand_new() does; on the same stack. */
	filch__strand_init(&s->strand, &scene->pool, &s->record, NULL, NULL);
	s->strand.stack = (struct filch__stack *)&s->strand;
	filch__strand_wait(&s->strand);
	client_join(t1);
	client_join(t2);
	CHECK(s->woke[0] != s->woke[1]);
	CHECK(filch__strand_state(load_rlx(&s->strand.state)) == FILCH__SUSPENDED);
	scene_end();
}
