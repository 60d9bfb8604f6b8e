/* SPDX-License-Identifier: MIT */
/*
 * Event. All under its lock, `set` as well: who has seen it set may free the event, so
 * whoever sets it must be through with it.
 */
#include <errno.h>

#include "base/cpu.h"
#include "task/sync.h"

int filch_event_wait_until(struct filch_event *e, uint64_t deadline)
{
	filch__lock(&e->waiters.lock);
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
	e->set = 1;
	if (FILCH_UNLIKELY(e->waiters.first != NULL))
		filch__wake_all(&e->waiters);
	else
		filch__unlock(&e->waiters.lock);
}

void filch_event_reset(struct filch_event *e)
{
	filch__lock(&e->waiters.lock);
	e->set = 0;
	filch__unlock(&e->waiters.lock);
}
