/* SPDX-License-Identifier: MIT */
/*
 * Two threads give the pool a driver, a third uses it: there is one, both know which, and
 * the thread that uses it finds it ready for use.
 */
#include "sched/frame.h"

struct mine {
	struct filch__driver driver; /* first */
	uint32_t number;             /* plain: what it carries */
};

struct state {
	struct scene scene;
	struct mine mine[2];
	struct filch__driver *has[2];
};

static struct state *s;

static void set(uint32_t i)
{
	s->mine[i].number = 7 + i;
	s->has[i] = filch__driver_set(&scene->pool, &s->mine[i].driver);
	if (s->has[i] == &s->mine[i].driver)
		return;
	COVER("somebody was faster");
	CHECK(((struct mine *)s->has[i])->number == 8 - i);
}

static void *setter(void *arg)
{
	set(1);
	return arg;
}

static void *user(void *arg)
{
	struct mine *d = (struct mine *)filch__driver(&scene->pool);

	if (d) {
		COVER("there is one");
		CHECK(d->number == 7 + (uint32_t)(d - s->mine));
	}
	return arg;
}

CLIENT("sched/driver")
{
	client_thread t1, t2;

	s = &state;
	scene_begin(&s->scene, 1, 1);
	t1 = client_spawn("setter", setter, 0);
	t2 = client_spawn("user", user, 0);
	set(0);
	client_join(t1);
	client_join(t2);
	CHECK(s->has[0] == s->has[1]);
	scene_end();
}
