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
	struct filch__job job = {0};

	if (filch__steal_offered(arg, &scene->seat[0], true, &job)) {
		COVER("stolen");
		count(job.record); /* its contents are the thief's now */
	}
	return 0;
}

CLIENT("strand/offered")
{
	struct filch__deque *d;
	client_thread t;
	filch_entry e;
	bool kept;

	scene_begin(&state.scene, 2, 2);
	t = client_spawn("thief", thief, &scene->seat[1]);
	d = deque_new(&scene->seat[0].worker);
	state.record.times = 1;
	CHECK(filch_bwos_lifo_put(filch__deque_owner(d),
	                          (filch_entry)&state.record.record) == FILCH_OK);
	filch_bwos_lifo_share(filch__deque_owner(d));
	filch__offer(&scene->seat[0].worker, d);
	kept = filch_bwos_lifo_get(filch__deque_owner(d), &e) == FILCH_OK;
	if (kept) {
		COVER("got back");
		count(&state.record.record);
	}
	client_join(t);
	CHECK(kept || filch__deque_is_empty(d));
	CHECK(state.record.times == 2);
	filch__deques_destroy(&scene->seat[0].worker.deques);
	scene_end();
}
