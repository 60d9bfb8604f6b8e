/* SPDX-License-Identifier: MIT */
/*
 * No worker begins before all are there and known to each other.
 */
#include "sched/frame.h"
#include "sched/pool.c"

struct state {
	struct filch_pool pool;
	struct filch__worker worker[2];
};

static struct state *s;

static void *thread(void *arg)
{
	gate_pass(&s->pool);
	CHECK(s->pool.started == 2);
	CHECK(s->worker[0].thread == 1 && s->worker[1].thread == 2);
	return arg;
}

CLIENT("sched/gate")
{
	client_thread t1, t2;

	s = &state;
	t1 = client_spawn("thread 1", thread, 0);
	s->worker[0].thread = 1;
	t2 = client_spawn("thread 2", thread, 0);
	s->worker[1].thread = 2;
	s->pool.started = 2;
	gate_open(&s->pool);
	client_join(t1);
	client_join(t2);
}
