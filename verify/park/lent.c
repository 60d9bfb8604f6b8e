/* SPDX-License-Identifier: MIT */
/*
 * A worker that lends its seat sleeps until it is called, and a producer.
 */
#include "park/lend.h"

static void *worker(void *arg)
{
	lend(false);
	return arg;
}

static void *borrower(void *arg)
{
	borrow_once();
	return arg;
}

CLIENT("park/lent")
{
	client_thread t1, t2;

	lend_begin(&state);
	t1 = client_spawn("worker", worker, 0);
	t2 = client_spawn("borrower", borrower, 0);
	produce();
	produce();
	client_join(t1);
	client_join(t2);
	lend_end();
}
