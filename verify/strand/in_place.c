/* SPDX-License-Identifier: MIT */
/*
 * A strand waits in place, and its worker sleeps on top of it: the worker wakes up when the
 * strand may resume, and sees what the waker did.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__strand strand;
};

static void *waker(void *arg)
{
	scene->result[0] = 7;
	CHECK(filch__wake(&scene->pool, arg));
	return 0;
}

CLIENT("strand/in_place")
{
	struct filch__seat *w;
	struct filch__job job = {0};
	client_thread t;

	scene_begin(&state.scene, 1, 1);
	w = &scene->seat[0];
	stop(&state.strand, true);
	t = client_spawn("waker", waker, &state.strand);
	while (!filch__is_over(w, &state.strand)) {
		CHECK(!sleep_on(w, &state.strand, &job));
		COVER("slept");
	}
	CHECK(scene->result[0] == 7);
	client_join(t);
	scene_end();
}
