/* SPDX-License-Identifier: MIT */
/*
 * A worker runs a task whose hold another worker has taken, and starts a second task,
 * which that other worker runs. A thread that finds no holds meanwhile sees all that
 * both tasks did.
 */
#include "client.h"
#include "sched/hold.h"
#include "strand/tasks.h"

struct state {
	struct filch_pool pool;
	struct filch__seat seat[2];
	_Atomic(uint32_t) started; /* the second task */
	uint32_t done[2];          /* plain: what the tasks did */
};

static struct state *s;

static void *first(void *arg)
{
	filch__pool_hold(&s->pool, &s->seat[0].worker);
	store_rel(&s->started, 1); /* as a deque would carry it */
	s->done[0] = 1;
	filch__pool_release(&s->pool, &s->seat[0].worker);
	return arg;
}

static void *second(void *arg)
{
	ASSUME(load_acq(&s->started));
	s->done[1] = 1;
	filch__pool_release(&s->pool, &s->seat[1].worker);
	return arg;
}

CLIENT("pool/holds")
{
	client_thread t1, t2;

	s = &state;
	s->pool.workers = 2;
	s->pool.seat = s->seat;
	filch__pool_hold(&s->pool, &s->seat[1].worker);
	t1 = client_spawn("worker 0", first, 0);
	t2 = client_spawn("worker 1", second, 0);
	if (filch__pool_holds(&s->pool)) {
		COVER("some");
	} else {
		COVER("none");
		CHECK(s->done[0] && s->done[1]);
	}
	client_join(t1);
	client_join(t2);
	CHECK(!filch__pool_holds(&s->pool));
}
