/* SPDX-License-Identifier: MIT */
/*
 * A thread gives the pool a task and waits: a worker is called and runs it, and the thread
 * sees its result. The root is gone as soon as the thread has seen that.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__strand strand;
	struct filch__record record;
};

static struct filch__strand *strand;

static void run(struct filch__record *r)
{
	(void)r;
	scene->result[0] = 7;
}

static const struct filch__task task = {"task", run, sizeof(struct filch__record), NULL};

static void *worker(void *arg)
{
	strand->record = wait_for_work(arg).record;
	filch__strand_run_record(strand);
	return 0;
}

CLIENT("strand/root")
{
	struct filch__root *root = malloc(sizeof *root);
	client_thread t;

	scene_begin(&state.scene, 1, 1);
	strand = &state.strand;
	t = client_spawn("worker", worker, &scene->seat[0]);
	state.record.task = &task;
	root->ready.kind = FILCH__READY_ROOT;
	root->record = &state.record;
	atomic_init(&root->done, 0);
	root->depth = FILCH__DEEP;
	root->worker = NULL;
	store_rlx(filch__record_sync(&state.record), (uintptr_t)root | FILCH__IS_ROOT);
	filch__make_ready(&scene->pool, NULL, &root->ready);
	filch__root_wait(root);
	CHECK(scene->result[0] == 7);
	free(root);
	client_join(t);
	scene_end();
}
