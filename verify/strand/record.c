/* SPDX-License-Identifier: MIT */
/*
 * A thief finishes a task while a strand joins it: exactly one of the two makes the strand
 * resume, and the strand sees the result.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct filch__strand strand, thief;
	struct filch__record record;
};

static void run(struct filch__record *r)
{
	(void)r;
	scene->result[0] = 7;
}

static const struct filch__task task = {"task", run, sizeof(struct filch__record), NULL};

static void *thief(void *arg)
{
	filch__strand_run_record(arg);
	return 0;
}

static void join(struct filch__strand *s, struct filch__record *r)
{
	if (filch__record_is_done(r)) {
		COVER("was done");
		return;
	}
	stop(s, false);
	if (!filch__record_wait(r, (uintptr_t)s)) {
		COVER("is done now");
		return;
	}
	CHECK(wait_for_work(&scene->seat[0]).strand == s);
	CHECK(filch__strand_state(load_rlx(&s->state)) == FILCH__RESUMABLE);
}

CLIENT("strand/record")
{
	client_thread t;

	scene_begin(&state.scene, 1, 1);
	state.record.task = &task;
	filch__record_expose(&state.record, NULL);
	state.thief.record = &state.record;
	t = client_spawn("thief", thief, &state.thief);
	join(&state.strand, &state.record);
	CHECK(scene->result[0] == 7);
	client_join(t);
	scene_end();
}
