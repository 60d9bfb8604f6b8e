/* SPDX-License-Identifier: MIT */
/*
 * The pool gets a driver while a worker goes to sleep; a third thread puts something into
 * the inbox: it is run, also when the worker sleeps in the driver already.
 */
#include "sched/outside.h"

struct state {
	struct scene scene;
	struct outside outside;
	struct filch__root root;
	struct filch__record record;
};

static struct state *s;

static void kick(struct filch__lot *lot)
{
	CHECK(filch__driver((struct filch_pool *)lot));
	filch__lookout_kick(lot);
}

static void *worker(void *arg)
{
	CHECK(wait_for_work(arg).record == &s->record);
	return 0;
}

static void *setter(void *arg)
{
	filch__driver_set(&scene->pool, &s->outside.driver);
	return arg;
}

CLIENT("sched/kick")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	scene->pool.lot.kick = kick;
	outside_init(&s->outside);
	s->root.ready.kind = FILCH__READY_ROOT;
	s->root.record = &s->record;
	t1 = client_spawn("worker", worker, &scene->seat[0]);
	t2 = client_spawn("setter", setter, 0);
	filch__make_ready(&scene->pool, NULL, &s->root.ready);
	client_join(t1);
	client_join(t2);
	scene_end();
}
