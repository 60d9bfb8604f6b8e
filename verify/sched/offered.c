/* SPDX-License-Identifier: MIT */
/*
 * A thief that finds a deque offered finds it ready for use, with what was put into it.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct counted record;
};

static void *thief(void *arg)
{
	struct filch__job job = {NULL, NULL};

	if (filch__steal_offered(arg, &scene->worker[0], false, &job)) {
		COVER("stolen");
		count(job.record); /* its contents are the thief's now */
	}
	return 0;
}

CLIENT("sched/offered")
{
	struct filch__deque *d;
	client_thread t;
	filch_entry e;
	bool kept;

	scene_begin(&state.scene, 2, 2);
	t = client_spawn("thief", thief, &scene->worker[1]);
	d = filch__deque_new(filch__queue_bwos_lifo, 2);
	state.record.times = 1;
	CHECK(filch__deque_put(d, (filch_entry)&state.record.record) == FILCH_OK);
	filch__deque_share(d);
	filch__offer(&scene->worker[0], d);
	kept = filch__deque_get(d, &e) == FILCH_OK;
	if (kept) {
		COVER("got back");
		count(&state.record.record);
	}
	client_join(t);
	CHECK(kept || filch__deque_is_empty(d));
	CHECK(state.record.times == 2);
	filch__deque_free(d);
	scene_end();
}
