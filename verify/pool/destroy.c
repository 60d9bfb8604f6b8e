/* SPDX-License-Identifier: MIT */
/*
 * A pool is ended while a task of another thread ends there, and while that thread is
 * waking a strand of the pool: not before both have finished.
 */
#include "pool/nothing.h"

struct state {
	int unused;
};

static void *guest(void *arg)
{
	struct filch_pool *p = arg;

	CHECK(p->cpus == 0);
	filch__guest_come(p);         /* the thread knows of a task that waits */
	filch__pool_release(p, NULL); /* that task ends */
	CHECK(p->cpus == 0);
	filch__guest_go(p);
	return 0;
}

CLIENT("pool/destroy")
{
	struct filch_pool *p = pool_of_nothing();
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
