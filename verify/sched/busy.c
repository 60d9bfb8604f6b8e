/* SPDX-License-Identifier: MIT */
/*
 * A worker becomes busy while two others go to sleep: one of the two begs in the end. Not
 * all other workers sleep for good while one is busy.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
};

/* Whoever begs ends the pool, so that the other one goes home. */
static void *idler(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	while (!filch__is_over(w, NULL) && !w->hunger.begging) {
		CHECK(!sleep_on(w, NULL, &job));
		COVER("slept");
	}
	if (w->hunger.begging) {
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
	t1 = client_spawn("idler 1", idler, &scene->seat[1]);
	t2 = client_spawn("idler 2", idler, &scene->seat[2]);
	filch__become_busy(&scene->seat[0]);
	client_join(t1);
	client_join(t2);
	CHECK(scene->seat[1].hunger.begging != scene->seat[2].hunger.begging);
	scene_end();
}
