/* SPDX-License-Identifier: MIT */
/*
 * Three threads and a lock: one at a time has it, each sees what the one before did, and no
 * thread is left asleep when the lock is free.
 */
#include "base/lock.h"

#include "client.h"

struct state {
	struct filch__lock lock;
	uint32_t times; /* plain: under the lock */
};

static void *thread(void *arg)
{
	struct state *s = arg;

	if (filch__try_lock(&s->lock)) {
		COVER("got it at once");
	} else {
		filch__lock_slow(&s->lock);
		COVER("had to wait");
	}
	s->times++;
	filch__unlock(&s->lock);
	return 0;
}

CLIENT("base/locked")
{
	client_thread t1, t2;

	t1 = client_spawn("thread 1", thread, &state);
	t2 = client_spawn("thread 2", thread, &state);
	thread(&state);
	client_join(t1);
	client_join(t2);
	CHECK(state.times == 3);
	CHECK(filch__try_lock(&state.lock));
}
