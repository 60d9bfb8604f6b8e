/* SPDX-License-Identifier: MIT */
/*
 * The pool's only processor has a worker that becomes idle, while another thread leaves
 * something in the inbox: that thread calls no worker as long as this one is busy, but then
 * this one finds what was left.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__root root;
	struct filch__record record;
};

static void *worker(void *arg)
{
	filch__become_idle(arg);
	CHECK(wait_for_work(arg).record);
	return 0;
}

CLIENT("sched/call")
{
	client_thread t;

	scene_begin(&state.scene, 1, 1);
	filch__become_busy(&scene->seat[0]);
	t = client_spawn("worker", worker, &scene->seat[0]);
	state.root.ready.kind = FILCH__READY_ROOT;
	state.root.record = &state.record;
	filch__make_ready(&scene->pool, NULL, &state.root.ready);
	client_join(t);
	scene_end();
}
