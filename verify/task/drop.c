/* SPDX-License-Identifier: MIT */
/*
 * Three holders of a future drop it: the last one frees it, when the others no longer use
 * it.
 */
#include "client.h"
#include "strand/tasks.h"
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

CLIENT("task/drop")
{
	struct filch_future *f = aligned_alloc(16, sizeof *f + sizeof *f->inner);
	client_thread t1, t2;

	atomic_init(&f->references, 1);
	f->size = 7;
	f->inner = (struct filch__record *)(f + 1);
	f->inner->thrown = NULL;
	t1 = client_spawn("holder 1", holder, filch_future_keep(f));
	t2 = client_spawn("holder 2", holder, filch_future_keep(f));
	filch_future_drop(f);
	client_join(t1);
	client_join(t2);
}
