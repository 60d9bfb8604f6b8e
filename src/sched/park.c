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
		atomic_init(&parker[i].bed, 0);
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

/* Sleeps for at most `ns` nanoseconds, or, if that is UINT64_MAX, without a limit. */
static void sleep_on(_Atomic(uint32_t) *word, uint32_t expected, uint64_t ns)
{
	if (ns == UINT64_MAX)
		filch__futex_wait(word, expected);
	else
		filch__futex_wait_for(word, expected, ns);
}

/* Sleeps in the bed. Returns false when the worker is called; true when the time is up,
 * and the seat the worker's own. */
static bool sleep_deep(struct filch__parker *p, uint64_t ns)
{
	uint32_t seen = FILCH__LENDABLE;

	if (!load_rlx(&p->bed)) { /* a hint */
		sleep_on(&p->bed, 0, ns);
		/* P3 acquire: pairs with the release in filch__park_give_back(); carries the
		 * seat, if it was lent meanwhile. */
		if (cas_acq_rel(&p->state, &seen, FILCH__IDLE))
			return true;
	}
	/* P3 acquire: pairs with the release in get_up(); carries the seat. */
	while (!load_acq(&p->bed))
		filch__futex_wait(&p->bed, 0);
	store_rlx(&p->bed, 0);                        /* nobody else writes it now */
	assert(load_rlx(&p->state) == FILCH__CALLED); /* written before the bed */
	return false;
}

bool filch__park_doze(struct filch__lot *lot, uint32_t me, uint64_t ns, bool lends)
{
	struct filch__parker *p = &lot->parker[me];
	uint32_t seen = FILCH__IDLE;

	if (lends) {
		/* P3 release: pairs with the acquire in borrow(); carries the seat. */
		return cas_rel(&p->state, &seen, FILCH__LENDABLE) && sleep_deep(p, ns);
	}
	/* Relaxed: the work that the call is about is acquired from its queue; if the
	 * worker looks there too early, the fence of the next announcement makes up for
	 * it. */
	if (load_rlx(&p->state) != FILCH__CALLED) /* as above */
		sleep_on(&p->state, FILCH__IDLE, ns);
	return load_rlx(&p->state) != FILCH__CALLED; /* as above */
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

/* Has the thread get up that sleeps in this bed. */
static void get_up(struct filch__parker *p)
{
	/* P3 release: pairs with the acquire in sleep_deep(); carries the seat. */
	store_rel(&p->bed, 1);
	filch__futex_wake(&p->bed, 1);
}

/* Whether a worker in this state is to be called: one that watches, or one that does not. */
static bool is_wanted(uint32_t state, bool watching)
{
	return watching ? state == FILCH__WATCHING
	                : state == FILCH__IDLE || state == FILCH__LENDABLE;
}

/* Calls the worker of p if it is wanted. */
static bool call(struct filch__lot *lot, struct filch__parker *p, bool watching,
                 uint32_t from)
{
	uint32_t seen = load_rlx(&p->state); /* hint; the CAS re-checks */

	do {
		if (!is_wanted(seen, watching))
			return false;
		if (from != FILCH__OUTSIDE)
			store_rlx(&p->caller, from + 1); /* a hint: another may call */
		/* P2 acquire: pairs with the release in filch__park_watch(); carries the
		 * driver. P3 acquire: pairs with the release in filch__park_give_back();
		 * carries the seat, for get_up(). A call itself carries nothing. */
	} while (!cas_acq_rel(&p->state, &seen, FILCH__CALLED));
	/* This may come before the increment, see README.md. */
	filch__tally_drop(&lot->idle, (uint32_t)(p - lot->parker));
	if (seen == FILCH__WATCHING)
		lot->kick(lot);
	else if (seen == FILCH__LENDABLE)
		get_up(p);
	else
		filch__futex_wake(&p->state, 1);
	return true;
}

bool filch__park_call(struct filch__lot *lot, uint32_t from, uint32_t worker)
{
	struct filch__parker *p = &lot->parker[worker];

	assert(worker < lot->parkers);
	return call(lot, p, false, from) || call(lot, p, true, from);
}

/* Returns a parker of one part of the tally whose worker is wanted, or OUTSIDE. Begins after
 * the caller, so that callers do not all begin at the same parker. */
static uint32_t find_in(struct filch__lot *lot, uint32_t part, bool watching,
                        uint32_t from)
{
	uint32_t begin = part * FILCH__TALLY_EACH, n = lot->parkers - begin;
	uint32_t first = from == FILCH__OUTSIDE ? 0 : from + 1;

	if (n > FILCH__TALLY_EACH)
		n = FILCH__TALLY_EACH;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = begin + (first + i) % n;

		if (is_wanted(load_rlx(&lot->parker[at].state), watching)) /* a hint */
			return at;
	}
	return FILCH__OUTSIDE;
}

static uint32_t find(struct filch__lot *lot, bool watching, uint32_t from)
{
	uint32_t first = filch__tally_part_of(&lot->idle, from), parts = lot->idle.parts;
	uint32_t at = FILCH__OUTSIDE;

	for (uint32_t i = 0; i < parts && at == FILCH__OUTSIDE; i++) {
		uint32_t part = (first + i) % parts;

		if (filch__tally_in(&lot->idle, part))
			at = find_in(lot, part, watching, from);
	}
	return at;
}

uint32_t filch__park_find(struct filch__lot *lot, uint32_t from)
{
	uint32_t at = find(lot, false, from);

	return at == FILCH__OUTSIDE ? find(lot, true, from) : at;
}

FILCH_COLD bool filch__park_notify_slow(struct filch__lot *lot, uint32_t from)
{
	for (unsigned watching = 0; watching < 2; watching++)
		for (;;) {
			uint32_t at = find(lot, watching, from);

			if (at == FILCH__OUTSIDE)
				break;
			if (call(lot, &lot->parker[at], watching, from))
				return true;
		}
	return false;
}

void filch__park_notify_all(struct filch__lot *lot)
{
	while (filch__park_notify(lot, FILCH__OUTSIDE))
		;
}

/* ---- lending ---- */

static bool borrow(struct filch__lot *lot, uint32_t i)
{
	uint32_t seen = FILCH__LENDABLE;

	if (load_rlx(&lot->parker[i].state) != seen) /* hint; the CAS re-checks */
		return false;
	/* P3 acquire: pairs with the releases in filch__park_doze() and
	 * filch__park_give_back(); carries the seat. */
	if (!cas_acq_rel(&lot->parker[i].state, &seen, FILCH__AWAKE))
		return false;
	filch__tally_drop(&lot->idle, i); /* as in call() */
	return true;
}

uint32_t filch__park_borrow(struct filch__lot *lot, uint32_t first)
{
	if (borrow(lot, first))
		return first;
	if (!filch__tally_any(&lot->idle, first))
		return FILCH__OUTSIDE;
	for (uint32_t i = 1; i < lot->parkers; i++)
		if (borrow(lot, (first + i) % lot->parkers))
			return (first + i) % lot->parkers;
	return FILCH__OUTSIDE;
}

void filch__park_give_back(struct filch__lot *lot, uint32_t me)
{
	filch__tally_add(&lot->idle, me); /* ordered by the fence */
	/* P3 release: pairs with the acquires in borrow(), call() and sleep_deep(); carries
	 * the seat. */
	store_rel(&lot->parker[me].state, FILCH__LENDABLE);
	/* P1 seq_cst: pairs with the fence in filch__park_notify(); forbidden: the caller
	 * misses the work while the notifier misses the announcement. */
	fence_sc();
}

void filch__lot_check(struct filch__lot *lot)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < lot->parkers; i++) {
		uint32_t state = load_rlx(&lot->parker[i].state); /* nobody is here */

		assert(state <= FILCH__CALLED);
		n += filch__parker_is_idle(state);
	}
	assert(filch__tally_sum(&lot->idle) == n);
	(void)n;
}
