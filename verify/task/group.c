/* SPDX-License-Identifier: MIT */
/*
 * Two tasks of a group, and a strand that waits for them: the last task wakes the strand, or
 * the strand finds that both are done, or that it is the last itself; it sees what both did.
 */
#include "sched/frame.h"
#include "task/group.c"

struct state {
	struct scene scene;
	struct filch__strand strand;
	struct filch_group group;
};

static struct state *s;

/* Finishes a task of the group that has run. */
static void finish(int i)
{
	scene->result[i] = 7;
	if (less(&s->group))
		wake_waiter((struct filch__strand *)s->group.waiter);
}

static void *task_1(void *arg)
{
	finish(0);
	return arg;
}

static void *task_2(void *arg)
{
	finish(1);
	return arg;
}

CLIENT("task/group")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	atomic_init(pending_of(&s->group), 1);
	add_rlx(pending_of(&s->group), 2);
	t1 = client_spawn("task 1", task_1, 0);
	t2 = client_spawn("task 2", task_2, 0);
	stop(&s->strand, false);
	if (all_done(&s->group))
		COVER("were done");
	else if (arm_group(&s->group, &s->strand))
		CHECK(wait_for_work(&scene->seat[0]).strand == &s->strand);
	else
		COVER("was last");
	CHECK(scene->result[0] == 7 && scene->result[1] == 7);
	client_join(t1);
	client_join(t2);
	scene_end();
}
