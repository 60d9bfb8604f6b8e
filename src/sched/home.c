/* SPDX-License-Identifier: MIT */
#include "sched/home.h"

#include "base/clock.h"

#define PAUSE_NS 10000000 /* from one return to the next, at least; it doubles */
#define PAUSE_MOST_NS 10000000000ull /* ... up to this, while the worker is moved away */

/* Moves the calling thread home, and lets it run wherever it could before: so whatever it
 * starts inherits no narrower mask. A mask that leaves out some of the home was set by
 * somebody else, who is not contradicted. Caller: holds `steering`, and the worker is not
 * steered. */
static void go_home(struct filch__seat *me)
{
	struct filch__thread self = filch__thread_me();
	cpu_set_t may, both;

	if (!filch__thread_may(&self, &may))
		return;
	CPU_AND(&both, &may, &me->home.at);
	if (!CPU_EQUAL(&both, &me->home.at))
		return;
	if (filch__thread_bind(&self, &me->home.at))
		filch__thread_bind(&self, &may);
}

void filch__home_begin(struct filch__seat *me)
{
	struct filch__thread self = filch__thread_me();

	if (me->home.kind == FILCH__HOME_BOUND)
		filch__thread_bind(&self, &me->home.at); /* refused: it runs anywhere */
	if (me->home.kind != FILCH__HOME_FREE)
		return;
	filch__lock(&me->calls.steering);
	go_home(me);
	filch__unlock(&me->calls.steering);
}

static bool is_at_home(const struct filch__home *h)
{
	int cpu = filch__thread_cpu();

	return cpu < 0 || cpu >= CPU_SETSIZE || CPU_ISSET((size_t)cpu, &h->at);
}

/* Whether the worker may return now. It returns ever more seldom while it does not stay:
 * other programs may need the processors of its home. */
static bool may_return(struct filch__home *h)
{
	uint64_t now = filch__now_ns();

	if (now < h->after)
		return false;
	h->pause_ns = now - h->after > h->pause_ns ? PAUSE_NS : 2 * h->pause_ns;
	if (h->pause_ns > PAUSE_MOST_NS)
		h->pause_ns = PAUSE_MOST_NS;
	h->after = now + h->pause_ns;
	return true;
}

void filch__home_return(struct filch__seat *me)
{
	if (FILCH_LIKELY(me->home.kind != FILCH__HOME_FREE || is_at_home(&me->home)) ||
	    me->loan || !may_return(&me->home))
		return;
	filch__lock(&me->calls.steering);
	if (!load_rlx(&me->calls.steered)) /* under the lock */
		go_home(me);
	filch__unlock(&me->calls.steering);
}
