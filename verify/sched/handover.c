/* SPDX-License-Identifier: MIT */
/*
 * The beggar has found work and becomes busy, while another worker goes to sleep: that
 * one begs in its place.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
};

static void *idler(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	while (!w->hunger.begging) {
		CHECK(!sleep_on(w, NULL, &job));
		COVER("slept");
	}
	return 0;
}

CLIENT("sched/handover")
{
	struct filch__seat *w;
	client_thread t;

	scene_begin(&state.scene, 3, 3);
	filch__become_busy(&scene->seat[0]);
	w = &scene->seat[1];
	CHECK(beg(w));
	t = client_spawn("idler", idler, &scene->seat[2]);
	stop_begging(w);
	filch__become_busy(w);
	client_join(t);
	scene_end();
}
