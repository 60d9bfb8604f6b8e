/* SPDX-License-Identifier: MIT */
/*
 * Two workers take what is in the inbox and go to sleep, while another thread leaves one
 * more thing there: both are run, also when a worker finds that the other one is taking.
 */
#include "sched/frame.h"

#define ROUNDS 4

struct state {
	struct scene scene;
	struct filch__root root[2];
	struct counted record[2];
	_Atomic(uint32_t) ran;
};

static struct state *s;

/* Whoever runs the second ends the pool. */
static void *worker(void *arg)
{
	struct filch__seat *w = arg;
	struct filch__job job = {0};

	for (int i = 0; !filch__is_over(w, NULL); i++) {
		/* The other one may be taking for any time. */
		ASSUME(i < ROUNDS);
		if (!sleep_on(w, NULL, &job)) {
			COVER("slept");
			continue;
		}
		count(job.record);
		if (add_rlx(&s->ran, 1) == 1) {
			store_rlx(&scene->pool.stop, 1);
			filch__park_notify_all(&scene->pool.lot);
		}
	}
	return 0;
}

static void give(int i)
{
	s->root[i].ready.kind = FILCH__READY_ROOT;
	s->root[i].record = &s->record[i].record;
	filch__make_ready(&scene->pool, NULL, &s->root[i].ready);
}

CLIENT("sched/takers")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 2, 2);
	give(0);
	t1 = client_spawn("worker 1", worker, &scene->seat[0]);
	t2 = client_spawn("worker 2", worker, &scene->seat[1]);
	give(1);
	client_join(t1);
	client_join(t2);
	CHECK(s->record[0].times == 1 && s->record[1].times == 1);
	scene_end();
}
