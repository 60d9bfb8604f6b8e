/* SPDX-License-Identifier: MIT */
/*
 * A pool is ended while a task of another thread ends there, and while that thread is
 * waking somebody in it: not before both are through.
 */
#include <sched.h>

#include "sched/frame.h"

/* Who waits in a loop for another thread goes on when that one is done. */
#define sched_yield() ASSUME(false)
#define pthread_barrier_destroy(b) ((void)(b)) /* no threads were started */
#include "sched/nothing.h"
#include "sched/pool.c"

struct state {
	int unused;
};

static void *guest(void *arg)
{
	struct filch_pool *p = arg;

	CHECK(p->cpus == 0);
	filch__guest_come(p);   /* knows of a task that waits */
	filch__pool_release(p); /* which it was, say */
	CHECK(p->cpus == 0);
	filch__guest_go(p);
	return 0;
}

CLIENT("sched/destroy")
{
	struct filch_pool *p = pool_new();
	client_thread t = client_spawn("guest", guest, p);

	if (filch_pool_destroy(p)) {
		COVER("busy");
		client_join(t);
		CHECK(!filch_pool_destroy(p));
	} else {
		COVER("at once");
		client_join(t);
	}
}
