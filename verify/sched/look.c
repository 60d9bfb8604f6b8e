/* SPDX-License-Identifier: MIT */
/*
 * A busy worker has a look at the timers, while another one goes to sleep: that one is on
 * the lookout in the end.
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

CLIENT("sched/look")
{
	client_thread t;

	scene_begin(&state.scene, 2, 2);
	store_rlx(&scene->timers[0].earliest, FAR); /* a look is all that it gets */
	t = client_spawn("idler", idler, &scene->seat[1]);
	filch__look(&scene->seat[0]);
	client_join(t);
	scene_end();
}
