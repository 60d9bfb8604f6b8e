/* SPDX-License-Identifier: MIT */
/*
 * A strand puts into its deque and lists it, while a thief takes the deque from the set in
 * which it is listed, looks into it and lists it again: what is in a deque is found, since
 * a deque that is not empty is listed.
 */
#include "sched/frame.h"
#include "sched/steal.c"

struct state {
	struct scene scene;
	struct counted record[3];
};

static uint32_t found(struct filch__seat *w)
{
	struct filch__job job = {0};

	if (filch__search(w, &job) != FILCH_OK)
		return 0;
	count(job.record);
	return 1;
}

static void *thief(void *arg)
{
	struct filch__job job = {0};

	if (steal_ready(arg, &scene->seat[0], &job) == FILCH_OK) {
		COVER("stolen");
		count(job.record);
	}
	return 0;
}

/* As a strand that stops does. */
static void put_and_list(struct filch__deque *d, struct filch__record *r)
{
	CHECK(filch_bwos_lifo_put(filch__deque_owner(d), (filch_entry)r) == FILCH_OK);
	filch_bwos_lifo_share(filch__deque_owner(d));
	filch__deque_show(&scene->seat[0].worker, d);
}

CLIENT("strand/listing")
{
	struct filch__deque *d;
	client_thread t;
	filch_entry e;

	scene_begin(&state.scene, 2, 2);
	d = deque_new(&scene->seat[0].worker);
	/* Listed and empty: its strand has stopped, resumed and joined. */
	put_and_list(d, &state.record[0].record);
	CHECK(filch_bwos_lifo_get(filch__deque_owner(d), &e) == FILCH_OK);
	t = client_spawn("thief", thief, &scene->seat[1]);
	put_and_list(d, &state.record[1].record);
	put_and_list(d, &state.record[2].record);
	client_join(t);
	while (found(&scene->seat[0]))
		COVER("left");
	CHECK(state.record[1].times == 1 && state.record[2].times == 1);
	CHECK(filch__deque_is_empty(d));
	filch__deques_destroy(&scene->seat[0].worker.deques);
	scene_end();
}
