/* SPDX-License-Identifier: MIT */
/*
 * A worker becomes busy while two others go to sleep: one of them begs in the end. It is
 * not so that all sleep for good while somebody is busy.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
};

/* Whoever begs ends the pool, so that the other one goes home. */
static void *idler(void *arg)
{
	struct filch__worker *w = arg;
	struct filch__job job = {NULL, NULL};

	while (!ended(w, NULL) && !w->begging) {
		CHECK(!sleep_on(w, NULL, &job));
		COVER("slept");
	}
	if (w->begging) {
		COVER("begs");
		store_rlx(&scene->pool.stop, 1);
		filch__park_notify_all(&scene->pool.lot);
	}
	return 0;
}

CLIENT("sched/busy")
{
	client_thread t1, t2;

	scene_begin(&state.scene, 3, 3);
	t1 = client_spawn("idler 1", idler, &scene->worker[1]);
	t2 = client_spawn("idler 2", idler, &scene->worker[2]);
	filch__become_busy(&scene->worker[0]);
	client_join(t1);
	client_join(t2);
	CHECK(scene->worker[1].begging != scene->worker[2].begging);
	scene_end();
}
