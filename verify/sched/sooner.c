/* SPDX-License-Identifier: MIT */
/*
 * The lookout sleeps in the driver until a timer that is far off. A thread sets one that
 * is due: the lookout notices.
 */
#include "sched/outside.h"

struct state {
	struct scene scene;
	struct outside outside;
	struct filch__timer far, near;
	uint32_t fired;
};

static struct state *s;

static void note(struct filch__timer *t)
{
	CHECK(t == &s->near);
	s->fired++;
}

static void *idler(void *arg)
{
	struct filch__job job = {0};

	while (!s->fired)
		CHECK(!sleep_on(arg, NULL, &job));
	return 0;
}

CLIENT("sched/sooner")
{
	client_thread t;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	outside_init(&s->outside);
	s->near.fire = s->far.fire = note;
	set_timer(0, &s->far, FAR);
	CHECK(filch__driver_set(&scene->pool, &s->outside.driver));
	t = client_spawn("idler", idler, &scene->seat[0]);
	set_timer(0, &s->near, VERIFY_NOW);
	client_join(t);
	CHECK(s->fired == 1);
	CHECK(s->outside.waits);
	scene_end();
}
