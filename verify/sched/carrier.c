/* SPDX-License-Identifier: MIT */
/*
 * Records that no strand has, in a carrier that two workers take from: each is run once.
 * Whoever finds the carrier empty has it, alone, and puts into it again.
 */
#include "sched/frame.h"

struct state {
	struct scene scene;
	struct counted record[3];
};

static struct state *s;

static void carry_one(struct filch__worker *w, int i)
{
	filch_entry e = (filch_entry)&s->record[i].record;

	CHECK(filch__carrier_ready(w));
	carry(w, &e, 1);
}

static void run_all(struct filch__worker *w)
{
	struct filch__job job = {NULL, NULL};

	while (filch__search(w, &job))
		count(job.record);
}

static void *worker(void *arg)
{
	struct filch__worker *w = arg;

	run_all(w);
	if (w->carriers) {
		COVER("empty: the worker's");
		carry_one(w, 2);
	}
	return 0;
}

CLIENT("sched/carrier")
{
	struct filch__worker *w;
	client_thread t;

	s = &state;
	scene_begin(&s->scene, 2, 2);
	scene->pool.settings.block_size = 2;
	w = &scene->worker[0];
	carry_one(w, 0);
	t = client_spawn("worker", worker, &scene->worker[1]);
	run_all(w);
	if (w->carriers) {
		COVER("empty: the maker's");
		carry_one(w, 1);
	}
	client_join(t);
	run_all(w);
	CHECK(s->record[0].times == 1);
	CHECK(s->record[1].times + s->record[2].times >= 1);
	CHECK(s->record[1].times < 2 && s->record[2].times < 2);
	CHECK(!w->all_deques->next_all && !scene->worker[1].all_deques);
	filch__deque_free(w->all_deques);
	scene_end();
}
