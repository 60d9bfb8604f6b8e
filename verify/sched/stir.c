/* SPDX-License-Identifier: MIT */
/*
 * A thread sets the first timer of all while a worker goes to sleep for good: it fires.
 */
#include "sched/outside.h"

struct state {
	struct scene scene;
	struct filch__timer timer;
	uint32_t fired;
};

static struct state *s;

static void note(struct filch__timer *t)
{
	CHECK(t == &s->timer);
	s->fired++;
}

static void *idler(void *arg)
{
	struct filch__job job = {0};

	while (!s->fired) {
		CHECK(!sleep_on(arg, NULL, &job));
		COVER("slept");
	}
	return 0;
}

CLIENT("sched/stir")
{
	client_thread t;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	s->timer.fire = note;
	t = client_spawn("idler", idler, &scene->seat[0]);
	set_timer(0, &s->timer, VERIFY_NOW);
	client_join(t);
	CHECK(s->fired == 1);
	scene_end();
}
