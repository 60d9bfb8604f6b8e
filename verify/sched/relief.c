/* SPDX-License-Identifier: MIT */
/*
 * The lookout has found something to run and becomes busy, while another worker goes to
 * sleep, and a third one begs: the other one is on the lookout in the end.
 */
#include "sched/outside.h"

struct state {
	struct scene scene;
};

static void *idler(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	while (!w->watch.watching) {
		CHECK(!sleep_on(w, NULL, &job));
		COVER("slept");
	}
	return 0;
}

CLIENT("sched/relief")
{
	struct filch__seat *w;
	client_thread t;

	scene_begin(&state.scene, 3, 3);
	w = &scene->seat[0];
	store_rlx(&scene->pool.beggar, 1);
	store_rlx(&scene->timers[0].earliest, FAR); /* a look is all that it gets */
	CHECK(filch__lookout_take(w));
	t = client_spawn("idler", idler, &scene->seat[1]);
	filch__lookout_drop(w);
	filch__become_busy(w);
	client_join(t);
	scene_end();
}
