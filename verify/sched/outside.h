/* SPDX-License-Identifier: MIT */
/*
 * The common part of the clients of the lookout: a driver in which nothing happens but a
 * kick, and whose far deadlines never come.
 */
#ifndef VERIFY_SCHED_OUTSIDE_H
#define VERIFY_SCHED_OUTSIDE_H

#include "base/clock.h"
#include "base/futex.h"
#include "sched/frame.h"

#define FAR (VERIFY_NOW + ((uint64_t)1 << 40))

struct outside {
	struct filch__driver driver; /* first */
	_Atomic(uint32_t) kicked;
	uint32_t waits; /* plain: one worker at a time */
};

static inline void outside_wait(struct filch__driver *d, uint64_t ns)
{
	struct outside *o = (struct outside *)d;

	o->waits++;
	if (!ns)
		return;
	while (!load_rlx(&o->kicked))
		filch__futex_wait(&o->kicked, 0);
	store_rlx(&o->kicked, 0);
	COVER("kicked");
}

static inline void outside_serve(struct filch__driver *d)
{
	(void)d;
}

static inline void outside_kick(struct filch__driver *d)
{
	struct outside *o = (struct outside *)d;

	store_rlx(&o->kicked, 1);
	filch__futex_wake(&o->kicked, 1);
}

static inline void outside_init(struct outside *o)
{
	o->driver.wait = outside_wait;
	o->driver.serve = outside_serve;
	o->driver.kick = outside_kick;
}

/* As a thread that sets a timer of this row does. */
static inline void set_timer(uint32_t row, struct filch__timer *t, uint64_t deadline)
{
	struct filch__timers *ts = &scene->timers[row];
	bool next;

	t->in = ts;
	t->deadline = deadline;
	filch__lock(&ts->lock);
	next = filch__timer_set(t);
	filch__unlock(&ts->lock);
	if (next)
		filch__stir(&scene->pool);
}

#endif
