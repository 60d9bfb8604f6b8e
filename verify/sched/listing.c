/* SPDX-License-Identifier: MIT */
/*
 * A strand puts into its deque and lists it, while a thief takes the deque from the set
 * it is listed in, looks and lists it again: what is in a deque is found, for if it is not
 * empty it is listed.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct counted record[3];
};

static uint32_t found(struct filch__worker *w)
{
	struct filch__job job = {NULL, NULL};

	if (!filch__search(w, &job))
		return 0;
	count(job.record);
	return 1;
}

static void *thief(void *arg)
{
	struct filch__job job = {NULL, NULL};

	if (steal_ready(arg, &scene->worker[0], &job)) {
		COVER("stolen");
		count(job.record);
	}
	return 0;
}

/* As a strand that stops does. */
static void put_and_list(struct filch__deque *d, struct filch__record *r)
{
	CHECK(filch__deque_put(d, (filch_entry)r) == FILCH_OK);
	filch__deque_share(d);
	filch__deque_show(&scene->worker[0], d);
}

CLIENT("sched/listing")
{
	struct filch__deque *d = filch__deque_new(filch__queue_bwos_lifo, 2);
	client_thread t;
	filch_entry e;

	scene_begin(&state.scene, 2, 2);
	/* Listed and empty, after a strand that has stopped, gone on and joined. */
	put_and_list(d, &state.record[0].record);
	CHECK(filch__deque_get(d, &e) == FILCH_OK);
	t = client_spawn("thief", thief, &scene->worker[1]);
	put_and_list(d, &state.record[1].record);
	put_and_list(d, &state.record[2].record);
	client_join(t);
	while (found(&scene->worker[0]))
		COVER("left");
	CHECK(state.record[1].times == 1 && state.record[2].times == 1);
	CHECK(filch__deque_is_empty(d));
	filch__deque_free(d);
	scene_end();
}
