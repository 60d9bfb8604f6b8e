/* SPDX-License-Identifier: MIT */
/*
 * A worker takes two of three things from its own stealable set, while another worker goes
 * to sleep: that one finds the third, also if it loses the races for the others. Nobody
 * calls it.
 */
#include "sched/frame.h"

#define ROUNDS 3

struct state {
	struct scene scene;
	struct filch__root root[3];
	struct counted record[3];
};

static struct state *s;

static void *worker(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	for (int i = 0; !sleep_on(w, NULL, &job); i++) {
		COVER("lost");
		ASSUME(i < ROUNDS);
	}
	count(job.record);
	return 0;
}

CLIENT("sched/lost")
{
	struct filch__job job = {0};
	client_thread t;

	s = &state;
	scene_begin(&s->scene, 2, 2);
	for (int i = 0; i < 3; i++) {
		s->root[i].ready.kind = FILCH__READY_ROOT;
		s->root[i].record = &s->record[i].record;
		filch__make_ready(&scene->pool, &scene->seat[0].worker,
		                  &s->root[i].ready);
	}
	t = client_spawn("worker", worker, &scene->seat[1]);
	for (int i = 0; i < 2; i++) {
		CHECK(filch__from_own(&scene->seat[0], &job));
		count(job.record);
	}
	client_join(t);
	for (int i = 0; i < 3; i++)
		CHECK(s->record[i].times == 1);
	scene_end();
}
