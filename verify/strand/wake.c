/* SPDX-License-Identifier: MIT */
/*
 * Two wakers and one strand that waits: one of the wakers has woken it, and the strand
 * resumes once and sees what that waker did.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__strand strand;
	uint32_t woke[2];
};

static struct state *s;

static void wake(int i)
{
	scene->result[i] = 7;
	s->woke[i] = filch__wake(&scene->pool, &s->strand);
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

CLIENT("strand/wake")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	stop(&s->strand, false);
	t1 = client_spawn("waker 1", waker_1, 0);
	t2 = client_spawn("waker 2", waker_2, 0);
	CHECK(wait_for_work(&scene->seat[0]).strand == &s->strand);
	filch__strand_set(&s->strand, FILCH__ACTIVE);
	client_join(t1);
	client_join(t2);
	CHECK(s->woke[0] != s->woke[1]);
	CHECK(filch__strand_state(load_rlx(&s->strand.state)) == FILCH__ACTIVE);
	scene_end();
}
