/* SPDX-License-Identifier: MIT */
#include "sched/park.h"

#include <assert.h>

#include "base/futex.h"

void filch__lot_init(struct filch__lot *lot, struct filch__parker *parker,
                     uint32_t parkers, void (*kick)(struct filch__lot *lot))
{
	filch__tally_init(&lot->idle, parkers);
	lot->kick = kick;
	lot->parkers = parkers;
	lot->parker = parker;
	for (uint32_t i = 0; i < parkers; i++) {
		atomic_init(&parker[i].state, FILCH__AWAKE);
		atomic_init(&parker[i].caller, 0);
	}
}

void filch__park_announce(struct filch__lot *lot, uint32_t me)
{
	_Atomic(uint32_t) *state = &lot->parker[me].state;

	assert(load_rlx(state) == FILCH__AWAKE); /* only its worker announces it */
	filch__tally_add(&lot->idle, me);        /* ordered by the fence */
	store_rlx(state, FILCH__IDLE);           /* ordered by the fence */
	/* P1 seq_cst: pairs with the fence in filch__park_notify(); forbidden: this
	 * worker misses the work while the notifier misses the announcement. */
	fence_sc();
}

bool filch__park_cancel(struct filch__lot *lot, uint32_t me)
{
	uint32_t seen = load_rlx(&lot->parker[me].state); /* the CAS re-checks */

	/* Relaxed: the worker's own word, and it gives nothing away. */
	if (seen != FILCH__CALLED &&
	    cas_rlx(&lot->parker[me].state, &seen, FILCH__AWAKE)) { /* own word */
		filch__tally_drop(&lot->idle, me); /* after its own increment */
		return false;
	}
	assert(seen == FILCH__CALLED);
	store_rlx(&lot->parker[me].state, FILCH__AWAKE); /* nobody else writes it now */
	return true;
}

void filch__park_sleep(struct filch__lot *lot, uint32_t me)
{
	_Atomic(uint32_t) *state = &lot->parker[me].state;

	/* Relaxed: the work that the call is about is acquired from its queue; if the
	 * worker looks there too early, the fence of the next announcement makes up for
	 * it. */
	while (load_rlx(state) != FILCH__CALLED) /* as above */
		filch__futex_wait(state, FILCH__IDLE);
	store_rlx(state, FILCH__AWAKE); /* nobody else writes it now */
}

bool filch__park_doze(struct filch__lot *lot, uint32_t me, uint64_t ns)
{
	_Atomic(uint32_t) *state = &lot->parker[me].state;

	if (load_rlx(state) != FILCH__CALLED) /* as above */
		filch__futex_wait_for(state, FILCH__IDLE, ns);
	return load_rlx(state) != FILCH__CALLED; /* as above */
}

void filch__park_nap(struct filch__lot *lot, uint32_t me, uint64_t ns)
{
	filch__park_doze(lot, me, ns);
	filch__park_cancel(lot, me);
}

bool filch__park_watch(struct filch__lot *lot, uint32_t me)
{
	uint32_t seen = FILCH__IDLE;

	/* P2 release: pairs with the acquire in call(); carries the driver to be
	 * kicked. */
	return cas_rel(&lot->parker[me].state, &seen, FILCH__WATCHING);
}

uint32_t filch__park_caller(struct filch__lot *lot, uint32_t me)
{
	_Atomic(uint32_t) *caller = &lot->parker[me].caller;
	uint32_t c = load_rlx(caller); /* a hint */

	if (c)
		store_rlx(caller, 0); /* a hint */
	return c ? c - 1 : FILCH__OUTSIDE;
}

/* Calls the worker of p if it is in this state. */
static bool call(struct filch__lot *lot, struct filch__parker *p, uint32_t state,
                 uint32_t from)
{
	uint32_t seen = state;

	if (load_rlx(&p->state) != state) /* hint; the CAS re-checks */
		return false;
	if (from != FILCH__OUTSIDE)
		store_rlx(&p->caller, from + 1); /* a hint: another may call instead */
	/* P2 acquire: pairs with the release in filch__park_watch(); carries the driver.
	 * A call itself carries nothing. */
	if (!cas_acq_rel(&p->state, &seen, FILCH__CALLED))
		return false;
	/* This may come before the increment, see README.md. */
	filch__tally_drop(&lot->idle, (uint32_t)(p - lot->parker));
	if (state == FILCH__WATCHING)
		lot->kick(lot);
	else
		filch__futex_wake(&p->state, 1);
	return true;
}

bool filch__park_call(struct filch__lot *lot, uint32_t from, uint32_t worker)
{
	struct filch__parker *p = &lot->parker[worker];

	assert(worker < lot->parkers);
	return call(lot, p, FILCH__IDLE, from) || call(lot, p, FILCH__WATCHING, from);
}

/* Calls a worker of one part of the tally that is in this state. Begins after the caller,
 * so that callers do not all begin at the same parker. */
static bool call_one_of(struct filch__lot *lot, uint32_t part, uint32_t state,
                        uint32_t from)
{
	uint32_t begin = part * FILCH__TALLY_EACH, n = lot->parkers - begin;
	uint32_t first = from == FILCH__OUTSIDE ? 0 : from + 1;

	if (n > FILCH__TALLY_EACH)
		n = FILCH__TALLY_EACH;
	for (uint32_t i = 0; i < n; i++)
		if (call(lot, &lot->parker[begin + (first + i) % n], state, from))
			return true;
	return false;
}

FILCH_COLD bool filch__park_notify_slow(struct filch__lot *lot, uint32_t from)
{
	uint32_t first = filch__tally_part_of(&lot->idle, from), parts = lot->idle.parts;

	for (uint32_t state = FILCH__IDLE; state <= FILCH__WATCHING; state++)
		for (uint32_t i = 0; i < parts; i++) {
			uint32_t part = (first + i) % parts;

			if (filch__tally_in(&lot->idle, part) &&
			    call_one_of(lot, part, state, from))
				return true;
		}
	return false;
}

void filch__park_notify_all(struct filch__lot *lot)
{
	while (filch__park_notify(lot, FILCH__OUTSIDE))
		;
}

void filch__lot_check(struct filch__lot *lot)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < lot->parkers; i++) {
		uint32_t state = load_rlx(&lot->parker[i].state); /* nobody is here */

		assert(state <= FILCH__CALLED);
		n += state == FILCH__IDLE || state == FILCH__WATCHING;
	}
	assert(filch__tally_sum(&lot->idle) == n);
	(void)n;
}
