/* SPDX-License-Identifier: MIT */
/*
 * Records that belong to no strand are in a carrier, from which two workers take: each
 * record is run once. The worker that finds the carrier empty has it alone, and puts into it
 * again.
 */
#include "sched/frame.h"
#include "sched/own.h"
#include "sched/steal.h"

struct state {
	struct scene scene;
	struct counted record[3];
};

static struct state *s;

static void carry_one(struct filch__seat *w, int i)
{
	filch_entry e = (filch_entry)&s->record[i].record;

	CHECK(filch__can_carry(w));
	filch__carry(w, &e, 1);
}

static void run_all(struct filch__seat *w)
{
	struct filch__job job = {0};

	while (filch__search(w, &job) == FILCH_OK)
		count(job.record);
}

static void *worker(void *arg)
{
	struct filch__seat *w = arg;

	run_all(w);
	if (w->worker.deques.carriers) {
		COVER("empty: the worker's");
		carry_one(w, 2);
	}
	return 0;
}

CLIENT("sched/carrier")
{
	struct filch__seat *w;
	client_thread t;

	s = &state;
	scene_begin(&s->scene, 2, 2);
	w = &scene->seat[0];
	carry_one(w, 0);
	t = client_spawn("worker", worker, &scene->seat[1]);
	run_all(w);
	if (w->worker.deques.carriers) {
		COVER("empty: the maker's");
		carry_one(w, 1);
	}
	client_join(t);
	run_all(w);
	CHECK(s->record[0].times == 1);
	CHECK(s->record[1].times + s->record[2].times >= 1);
	CHECK(s->record[1].times < 2 && s->record[2].times < 2);
	CHECK(!w->worker.deques.all->next_all && !scene->seat[1].worker.deques.all);
	filch__deques_destroy(&w->worker.deques);
	scene_end();
}
