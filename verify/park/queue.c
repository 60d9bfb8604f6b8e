/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo chase_lev */
/*
 * Parking with a real queue: a worker that finds the queue empty sleeps, and when the
 * owner has made something stealable it is woken and gets it.
 */
#include "base/futex.h"
#include "queue/frame.h"
#include "sched/park.c"

static struct filch__lot *lot;
static struct filch__parker *parker;
static _Atomic(uint32_t) *had;

/* RETRY says nothing: asks again, but not for ever. */
static enum filch_result look(struct worker *w)
{
	enum filch_result r = steal(w);

	for (int i = 0; i < 2 && r == FILCH_RETRY; i++)
		r = steal(w);
	ASSUME(r != FILCH_RETRY);
	return r;
}

static void *worker(void *arg)
{
	while (look(arg) != FILCH_OK) {
		filch__park_announce(lot, 0);
		if (look(arg) == FILCH_OK) {
			filch__park_cancel(lot, 0);
			break;
		}
		while (filch__park_doze(lot, 0, UINT64_MAX, false))
			;
		filch__park_cancel(lot, 0);
		COVER("slept");
	}
	store_rlx(had, 1);
	filch__futex_wake(had, 1);
	return 0;
}

/* As a pool does whenever the owner was in a slow path: a grant may be new. */
static void put_and_tell(void)
{
	put_one();
	if (QUEUE_FN(size_hint)(&s->q))
		filch__park_notify(lot, FILCH__OUTSIDE);
}

CLIENT(TITLE("park/queue"))
{
	static const struct filch_queue_options o = {2, 2, false, 0};

	begin(&state, &o);
	lot = malloc(sizeof *lot);
	parker = malloc(sizeof *parker);
	had = malloc(sizeof *had);
	filch__lot_init(lot, parker, 1, NULL);
	atomic_init(had, 0);
	start(worker);
	for (int i = 0; i < (IS_FIFO ? 5 : 3); i++)
		put_and_tell();
	/* A full block is granted, poked or not: the worker must come for an entry. */
	while (!load_rlx(had))
		filch__futex_wait(had, 0);
	finish();
	free(had);
	free(parker);
	free(lot);
}
