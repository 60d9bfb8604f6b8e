/* SPDX-License-Identifier: MIT */
/*
 * A wait for a condition passes the mutex on with the condition's lock held, and
 * filch__wait() releases that lock once the caller has stopped. So the strand that has
 * the mutex next finds the caller in the list when it signals.
 */
#include <assert.h>
#include <filch/sync.h>

#include "task/mutex.h"
#include "task/sync.h"

static int wait_for(struct filch_condition *c, struct filch_mutex *m, uint64_t deadline,
                    const char *call)
{
	struct filch__wakeup wakeup;
	int result;

	filch__lock(&c->waiters.lock);
	if (filch__mutex_pass(m, call, &wakeup))
		filch__wakeup(&wakeup);
	result = filch__wait_as(&c->waiters, NULL, 0, deadline, true,
	                        FILCH__BECAUSE(condition));
	filch_mutex_lock(m);
	assert(m->owner == filch__me());
	return result;
}

int filch_condition_wait(struct filch_condition *c, struct filch_mutex *m)
{
	return wait_for(c, m, FILCH_NEVER, "filch_condition_wait");
}

int filch_condition_wait_until(struct filch_condition *c, struct filch_mutex *m,
                               uint64_t deadline)
{
	return wait_for(c, m, deadline, "filch_condition_wait_until");
}

void filch_condition_signal(struct filch_condition *c)
{
	struct filch__wakeup wakeup;
	bool any;

	filch__lock(&c->waiters.lock);
	any = filch__claim_first(&c->waiters, &wakeup);
	filch__unlock(&c->waiters.lock);
	if (any)
		filch__wakeup(&wakeup);
}

void filch_condition_broadcast(struct filch_condition *c)
{
	filch__lock(&c->waiters.lock);
	filch__wake_all(&c->waiters);
}
