/* SPDX-License-Identifier: MIT */
/*
 * A pool is ended while a thread outside that was a worker of it gives its seat back: not
 * before it has.
 */
#include "pool/nothing.h"

struct state {
	int unused;
};

static void *tenant(void *arg)
{
	struct filch_pool *p = arg;

	filch__tenant_come(p);        /* the thread knows of a task that it awaits */
	filch__pool_release(p, NULL); /* that task ends */
	CHECK(p->cpus == 0);
	filch__tenant_go(p);
	return 0;
}

CLIENT("pool/tenant")
{
	struct filch_pool *p = pool_of_nothing();
	client_thread t = client_spawn("tenant", tenant, p);
	int busy = filch_pool_destroy(p);

	if (busy)
		COVER("busy");
	client_join(t);
	if (busy)
		CHECK(!filch_pool_destroy(p));
}
