/* SPDX-License-Identifier: MIT */
/*
 * Two holders of a future drop it: whoever is last frees it, and the other one is through
 * with it.
 */
#include "client.h"
#include "sched/tasks.h"
#include "task/future.c"

struct state {
	int unused;
};

static void *holder(void *arg)
{
	struct filch_future *f = arg;

	CHECK(f->size == 7);
	filch_future_drop(f);
	return 0;
}

CLIENT("sched/drop")
{
	struct filch_future *f = aligned_alloc(16, sizeof *f);
	client_thread t1, t2;

	atomic_init(&f->references, 1);
	f->size = 7;
	t1 = client_spawn("holder 1", holder, filch_future_keep(f));
	t2 = client_spawn("holder 2", holder, filch_future_keep(f));
	filch_future_drop(f);
	client_join(t1);
	client_join(t2);
}
