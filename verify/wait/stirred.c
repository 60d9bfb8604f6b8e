/* SPDX-License-Identifier: MIT */
/*
 * A strand stops until a time, while its own worker goes to sleep for good, and the lookout
 * as well: one of the two notices the timer.
 */
#include "sched/outside.h"
#include "wait/wait.c"

struct state {
	struct scene scene;
	struct outside outside;
	struct filch__strand strand;
	struct filch__waiters list;
	struct filch__waiter x;
	struct filch__wait wait;
};

static struct state *s;

/* Whoever notices ends the pool. */
static void note(struct filch__timer *t)
{
	CHECK(t == &s->wait.timer);
	store_rlx(&scene->pool.stop, 1);
	filch__park_notify_all(&scene->pool.lot);
}

static void work(struct filch__seat *w)
{
	struct filch__job job = {0};

	while (!filch__is_over(w, NULL))
		CHECK(!sleep_on(w, NULL, &job));
}

static void *other(void *arg)
{
	work(arg);
	return 0;
}

static void set_up(void)
{
	scene_begin(&s->scene, 2, 2);
	filch__worker_be(&scene->seat[0].worker); /* for arm() */
	outside_init(&s->outside);
	filch__driver_set(&scene->pool, &s->outside.driver);
	s->x.list = &s->list;
	s->x.wait = &s->wait;
	s->wait.pool = &scene->pool;
	s->wait.waiter = &s->x;
	s->wait.waiters = 1;
	s->wait.timed = true;
	s->wait.timer.in = &scene->timers[0];
	s->wait.timer.deadline = VERIFY_NOW;
	s->wait.timer.fire = note;
}

CLIENT("wait/stirred")
{
	client_thread t;

	s = &state;
	set_up();
	t = client_spawn("other", other, &scene->seat[1]);
	filch__lock(&s->list.lock);
	stop(&s->strand, false);
	CHECK(arm(&s->wait, &s->strand));
	work(&scene->seat[0]);
	client_join(t);
	if (scene->seat[0].watch.watching)
		COVER("its worker");
	if (scene->seat[1].watch.watching)
		COVER("the other one");
	scene_end();
}
