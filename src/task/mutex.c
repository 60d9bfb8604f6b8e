/* SPDX-License-Identifier: MIT */
/*
 * Mutex. It is handed over: whoever is first in the list owns it before it is awake, so
 * nobody who comes later gets in between, and a mutex that is free has no waiters.
 */
#include <errno.h>

#include "base/cpu.h"
#include "sched/misuse.h"
#include "task/sync.h"

static FILCH_NOINLINE int wait_for(struct filch_mutex *m, void *me, uint64_t deadline,
                                   bool cancellable, const char *call)
{
	if (m->owner == me)
		filch__misuse(call, "the caller has locked it already; unlock it first, "
		                    "or use another one");
	return filch__wait_as(&m->waiters, me, 0, deadline, cancellable,
	                      FILCH__BECAUSE(mutex));
}

/* False, and the lock is held, if somebody has it. */
static inline bool take(struct filch_mutex *m, void *me)
{
	filch__lock(&m->waiters.lock);
	if (FILCH_UNLIKELY(m->owner != NULL))
		return false;
	m->owner = me;
	filch__unlock(&m->waiters.lock);
	return true;
}

void filch_mutex_lock(struct filch_mutex *m)
{
	void *me = filch__me();

	if (!take(m, me))
		wait_for(m, me, FILCH_NEVER, false, "filch_mutex_lock");
}

int filch_mutex_lock_until(struct filch_mutex *m, uint64_t deadline)
{
	void *me = filch__me();

	if (take(m, me))
		return 0;
	return wait_for(m, me, deadline, true, "filch_mutex_lock_until");
}

int filch_mutex_try_lock(struct filch_mutex *m)
{
	if (take(m, filch__me()))
		return 0;
	filch__unlock(&m->waiters.lock);
	return -EAGAIN;
}

static FILCH_COLD void not_the_owner(const struct filch_mutex *m, const char *call)
{
	if (m->owner)
		filch__misuse(call, "the mutex was locked by another strand or thread; "
		                    "unlock it where it was locked");
	filch__misuse(call, "the mutex is not locked; lock it first");
}

static inline bool pass(struct filch_mutex *m, const char *call,
                        struct filch__wakeup *wakeup)
{
	void *me = filch__me();
	struct filch__waiter *x;

	filch__lock(&m->waiters.lock);
	if (FILCH_UNLIKELY(m->owner != me))
		not_the_owner(m, call);
	x = filch__claim_first(&m->waiters, wakeup);
	m->owner = x ? x->data : NULL;
	filch__unlock(&m->waiters.lock);
	return x;
}

bool filch__mutex_pass(struct filch_mutex *m, const char *call,
                       struct filch__wakeup *wakeup)
{
	return pass(m, call, wakeup);
}

void filch_mutex_unlock(struct filch_mutex *m)
{
	struct filch__wakeup wakeup;

	if (pass(m, "filch_mutex_unlock", &wakeup))
		filch__wakeup(&wakeup);
}
