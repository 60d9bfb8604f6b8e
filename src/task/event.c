/* SPDX-License-Identifier: MIT */
/*
 * All fields of an event are under its lock, including `set`. A strand that has seen the
 * event set may free it, so the strand that sets the event must not use it after that.
 */
#include "task/event.h"

#include <assert.h>

#include "base/check.h"
#include "base/cpu.h"
#include "task/sync.h"

void filch__event_check(const struct filch_event *e)
{
	assert(e->set <= 1);
	assert(!e->set || !filch__first_waiter(&e->waiters));
	(void)e;
}

int filch_event_wait_until(struct filch_event *e, uint64_t deadline)
{
	filch__lock(&e->waiters.lock);
	FILCH__CHECK(filch__event_check(e));
	if (FILCH_UNLIKELY(!e->set))
		return filch__wait_as(&e->waiters, NULL, 0, deadline, true,
		                      FILCH__BECAUSE(event));
	filch__unlock(&e->waiters.lock);
	return 0;
}

int filch_event_wait(struct filch_event *e)
{
	return filch_event_wait_until(e, FILCH_NEVER);
}

bool filch_event_is_set(const struct filch_event *e)
{
	struct filch__lock *lock = (struct filch__lock *)&e->waiters.lock;
	bool set;

	filch__lock(lock);
	set = e->set;
	filch__unlock(lock);
	return set;
}

void filch_event_set(struct filch_event *e)
{
	filch__lock(&e->waiters.lock);
	FILCH__CHECK(filch__event_check(e));
	e->set = 1;
	if (FILCH_UNLIKELY(filch__first_waiter(&e->waiters) != NULL))
		filch__wake_all(&e->waiters);
	else
		filch__unlock(&e->waiters.lock);
}

void filch_event_reset(struct filch_event *e)
{
	filch__lock(&e->waiters.lock);
	FILCH__CHECK(filch__event_check(e));
	e->set = 0;
	filch__unlock(&e->waiters.lock);
}
