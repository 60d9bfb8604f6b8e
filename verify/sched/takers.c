/* SPDX-License-Identifier: MIT */
/*
 * Another thread leaves two things in the inbox, one after the other, while two workers
 * look there and go to sleep: both things are run.
 */
#include "sched/frame.h"

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
	struct filch__worker *w = arg;
	struct job job = {NULL, NULL};

	while (!ended(w, NULL)) {
		if (!sleep_on(w, NULL, &job)) {
			COVER("slept");
			continue;
		}
		count(job.record);
		if (add_rlx(&s->ran, 1) == 1) {
			store_rlx(&c->pool.stop, 1);
			filch__park_notify_all(&c->pool.lot);
		}
	}
	return 0;
}

static void give(int i)
{
	s->root[i].ready.kind = FILCH__READY_ROOT;
	s->root[i].record = &s->record[i].record;
	filch__make_ready(&c->pool, NULL, &s->root[i].ready);
}

CLIENT("sched/takers")
{
	client_thread t1, t2;

	s = &state;
	begin(&s->scene, 2, 2);
	t1 = client_spawn("worker 1", worker, &c->worker[0]);
	t2 = client_spawn("worker 2", worker, &c->worker[1]);
	give(0);
	give(1);
	client_join(t1);
	client_join(t2);
	CHECK(s->record[0].times == 1 && s->record[1].times == 1);
	end();
}
