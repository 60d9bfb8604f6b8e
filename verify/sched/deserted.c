/* SPDX-License-Identifier: MIT */
/*
 * A thread outside gives a seat back while another worker becomes busy: in the end the
 * worker whose seat it is begs, so that the busy one is not deserted.
 */
#include "sched/frame.h"
#include "sched/lend.c"

struct state {
	struct scene scene;
};

static void *worker(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	while (!w->hunger.begging)
		CHECK(!sleep_on(w, NULL, &job));
	return 0;
}

static void *other(void *arg)
{
	filch__become_busy(arg);
	return 0;
}

CLIENT("sched/deserted")
{
	client_thread t1, t2;

	scene_begin(&state.scene, 2, 2);
	t1 = client_spawn("worker", worker, &scene->seat[0]);
	t2 = client_spawn("other", other, &scene->seat[1]);
	if (filch__park_borrow(&scene->pool.lot, 0) == 0) {
		COVER("lent");
		filch__leave_roles(&scene->seat[0]); /* as filch__borrow() */
		leave_seat(&scene->pool, 0, false);
	}
	client_join(t1);
	client_join(t2);
	scene_end();
}
