/* SPDX-License-Identifier: MIT */
/*
 * No worker begins before all are there and known to each other.
 */
#include "client.h"
#include "pool/threads.c"
#include "strand/tasks.h"

struct state {
	struct filch__pool_whole pool;
	struct filch__seat seat[2];
};

static struct state *s;

static void *thread(void *arg)
{
	gate_pass(&s->pool);
	CHECK(s->pool.started == 2);
	CHECK(s->seat[0].worker.thread.id == 1 && s->seat[1].worker.thread.id == 2);
	return arg;
}

CLIENT("pool/gate")
{
	client_thread t1, t2;

	s = &state;
	t1 = client_spawn("thread 1", thread, 0);
	s->seat[0].worker.thread.id = 1;
	t2 = client_spawn("thread 2", thread, 0);
	s->seat[1].worker.thread.id = 2;
	s->pool.started = 2;
	gate_open(&s->pool);
	client_join(t1);
	client_join(t2);
}
