/* SPDX-License-Identifier: MIT */
#include "sched/shelves.h"

#include "base/clock.h"
#include "sched/own.h"

#define SWEEPS 8         /* strands of a shelf that are looked through at once */
#define SHELVES_NS 50000 /* first pause between sweeps of others' shelves; it doubles */
#define SHELVES_MOST_NS 20000000 /* ... up to this, while they hide nothing */
#define SHELVES_MOST 64          /* shelves that are looked at in one go */

bool filch__from_shelf(struct filch__seat *me, struct filch__job *job)
{
	return !filch__shelf_empty(&me->worker.shelf) &&
	       filch__shelf_sweep(&me->worker, &me->worker, SWEEPS) &&
	       filch__from_own(me, job);
}

bool filch__from_shelves(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;
	struct filch__hunger *h = &me->hunger;
	uint64_t now = filch__now_ns();
	bool found = false;

	if (now < h->shelves_after)
		return false;
	for (uint32_t i = 0; i < p->workers && i < SHELVES_MOST && !found; i++) {
		struct filch__seat *v = &p->seat[h->shelf++ % p->workers];

		if (load_rlx(&v->busy)) /* a hint */
			found = filch__shelf_sweep(&me->worker, &v->worker, SWEEPS);
	}
	h->shelves_ns = found ? SHELVES_NS : h->shelves_ns * 2;
	if (h->shelves_ns < SHELVES_NS)
		h->shelves_ns = SHELVES_NS;
	if (h->shelves_ns > SHELVES_MOST_NS)
		h->shelves_ns = SHELVES_MOST_NS;
	h->shelves_after = now + h->shelves_ns;
	return found && filch__from_own(me, job);
}
