/* SPDX-License-Identifier: MIT */
/*
 * A worker that lends its seat while it sleeps, and a thread outside that borrows it: one
 * of the two has the seat at a time, knows what the other did there, and no item is
 * forgotten. There are two items; the borrower takes one at most.
 */
#ifndef VERIFY_PARK_LEND_H
#define VERIFY_PARK_LEND_H

#include "park/frame.h"

static int *seat; /* plain: what lies there */

/* The worker. It takes one item. */
static inline void lend(bool naps)
{
	while (++*seat, !steal()) {
		filch__park_announce(&s->lot, 0);
		++*seat; /* the last look leaves something there, too */
		if (steal()) {
			if (filch__park_cancel(&s->lot, 0))
				filch__park_notify(&s->lot, FILCH__OUTSIDE);
			break;
		}
		if (naps && filch__park_doze(&s->lot, 0, 1, true)) {
			COVER("napped");
			++*seat;
		}
		sleep_until_called(0, true);
		COVER("slept");
	}
	++*seat;
}

/* The borrower. */
static inline void borrow_once(void)
{
	if (filch__park_borrow(&s->lot, 0) == FILCH__OUTSIDE)
		return;
	COVER("lent");
	++*seat;
	steal();
	filch__park_give_back(&s->lot, 0);
	if (load_rlx(&s->items))
		filch__park_call(&s->lot, FILCH__OUTSIDE, 0);
}

static void *worker(void *arg)
{
	lend(arg);
	return NULL;
}

static void *borrower(void *arg)
{
	borrow_once();
	return arg;
}

/* The worker naps first if `naps` is not NULL. */
static inline void lend_and_borrow(struct state *begun, void *naps)
{
	client_thread t1, t2;

	begin(begun, 1);
	seat = malloc(sizeof *seat);
	*seat = 0;
	t1 = client_spawn("worker", worker, naps);
	t2 = client_spawn("borrower", borrower, 0);
	produce();
	produce();
	client_join(t1);
	client_join(t2);
	CHECK(load_rlx(&s->items) <= 1);
	CHECK(filch__tally_sum(&s->lot.idle) == 0);
	CHECK(!load_rlx(&s->parker[0].bed));
	free(seat);
}

#endif
