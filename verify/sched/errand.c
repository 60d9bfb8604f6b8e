/* SPDX-License-Identifier: MIT */
/*
 * A thread outside that is a worker sleeps, while another worker ends the task that it
 * waits for: it is called, or sees by itself that the loan is over, and sees the result.
 */
#include "sched/frame.h"
#include "sched/lend.h"

struct state {
	struct scene scene;
};

static struct filch__root *root;

static void *worker(void *arg)
{
	scene->result[0] = 7;
	filch__root_done(root);
	return arg;
}

CLIENT("sched/errand")
{
	struct filch__loan loan = {.slack = 1};
	struct filch__seat *me;
	struct filch__job job = {0};
	client_thread t;

	scene_begin(&state.scene, 2, 2);
	me = &scene->seat[0];
	root = malloc(sizeof *root);
	root->worker = &me->worker;
	atomic_init(&root->done, 0);
	loan.until = &root->done;
	me->loan = &loan;
	t = client_spawn("worker", worker, &scene->seat[1]);
	while (!filch__is_over(me, NULL)) {
		CHECK(!sleep_on(me, NULL, &job));
		COVER("slept");
	}
	filch__root_wait(root); /* as filch__run() */
	CHECK(scene->result[0] == 7);
	free(root);
	client_join(t);
	scene_end();
}
