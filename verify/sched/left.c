/* SPDX-License-Identifier: MIT */
/*
 * A thread outside gives a seat back while another one leaves something in the inbox: the
 * worker whose seat it is has it in the end, although its thread has slept all along.
 */
#include "sched/frame.h"
#include "sched/lend.c"

struct state {
	struct scene scene;
	struct filch__root root;
	struct filch__record record;
};

static struct filch__root *root;

static void *worker(void *arg)
{
	CHECK(wait_for_work(arg).record == root->record);
	return arg;
}

static void *outsider(void *arg)
{
	filch__make_ready(&scene->pool, NULL, &root->ready);
	return arg;
}

CLIENT("sched/left")
{
	client_thread t1, t2;

	scene_begin(&state.scene, 1, 1);
	root = &state.root;
	root->ready.kind = FILCH__READY_ROOT;
	root->record = &state.record;
	root->depth = FILCH__DEEP;
	t1 = client_spawn("worker", worker, &scene->seat[0]);
	t2 = client_spawn("outsider", outsider, 0);
	if (filch__park_borrow(&scene->pool.lot, 0) == 0) {
		COVER("lent");
		filch__leave_roles(&scene->seat[0]); /* as filch__borrow() */
		leave_seat(&scene->pool, 0, false);
	}
	client_join(t1);
	client_join(t2);
	scene_end();
}
