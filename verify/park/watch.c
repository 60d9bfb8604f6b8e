/* SPDX-License-Identifier: MIT */
/*
 * A worker that sleeps in a driver: what is made stealable meanwhile has it kicked, and
 * who kicks knows of the driver.
 */
#include "park/frame.h"

static _Atomic(uint32_t) *kicked;
static int *driver; /* plain: the worker leaves it for who kicks */

static void kick(struct filch__lot *lot)
{
	(void)lot;
	CHECK(*driver == 7);
	store_rlx(kicked, 1);
	filch__futex_wake(kicked, 1);
}

static void watch(void)
{
	*driver = 7; /* after the announcement, whose fence would do */
	if (!filch__park_watch(&s->lot, 0)) {
		COVER("was called already");
	} else {
		while (!load_rlx(kicked))
			filch__futex_wait(kicked, 0);
		COVER("kicked");
	}
	CHECK(filch__park_cancel(&s->lot, 0));
}

static void *worker(void *arg)
{
	while (!steal()) {
		filch__park_announce(&s->lot, 0);
		if (steal()) {
			filch__park_cancel(&s->lot, 0);
			break;
		}
		watch();
	}
	return arg;
}

CLIENT("park/watch")
{
	client_thread t;

	begin(&state, 1);
	s->lot.kick = kick;
	driver = malloc(sizeof *driver);
	kicked = malloc(sizeof *kicked);
	atomic_init(kicked, 0);
	t = client_spawn("worker", worker, 0);
	produce();
	client_join(t);
	CHECK(filch__tally_sum(&s->lot.idle) == 0);
	free(driver);
	free(kicked);
}
