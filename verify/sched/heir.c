/* SPDX-License-Identifier: MIT */
/*
 * The lookout has found something to run and becomes busy, while another worker goes to
 * sleep and takes the role, and a thread sets a timer that is due: the heir notices.
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

static void *setter(void *arg)
{
	set_timer(0, &s->near, VERIFY_NOW);
	return arg;
}

CLIENT("sched/heir")
{
	struct filch__seat *w;
	client_thread t, u;

	s = &state;
	scene_begin(&s->scene, 3, 3);
	w = &scene->seat[0];
	store_rlx(&scene->pool.beggar, 3);
	outside_init(&s->outside);
	s->near.fire = s->far.fire = note;
	set_timer(0, &s->far, FAR);
	CHECK(filch__driver_set(&scene->pool, &s->outside.driver));
	CHECK(filch__lookout_take(w));
	t = client_spawn("idler", idler, &scene->seat[1]);
	u = client_spawn("setter", setter, 0);
	filch__lookout_drop(w);
	filch__become_busy(w);
	client_join(u);
	client_join(t);
	CHECK(s->fired == 1);
	scene_end();
}
