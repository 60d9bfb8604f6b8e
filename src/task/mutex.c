/* SPDX-License-Identifier: MIT */
/*
 * A mutex is handed over: the first waiter owns it before it is awake. So a strand that
 * comes later cannot get in between, and a mutex that is free has no waiters.
 */
#include "task/mutex.h"

#include <assert.h>
#include <errno.h>

#include "base/check.h"
#include "base/cpu.h"
#include "base/misuse.h"
#include "task/sync.h"

void filch__mutex_check(const struct filch_mutex *m)
{
	const struct filch__waiter *first = filch__first_waiter(&m->waiters);

	assert(m->owner || !first);
	assert(!first || first->data != m->owner); /* the owner does not wait */
	(void)first;
}

/* Caller: holds the lock of the list. */
static FILCH_NOINLINE int wait_for(struct filch_mutex *m, void *me, uint64_t deadline,
                                   bool cancellable, const char *call)
{
	int err;

	if (m->owner == me)
		filch__misuse(call, "the caller has locked it already; unlock it first, "
		                    "or use another one");
	FILCH__CHECK(filch__mutex_check(m));
	err = filch__wait_as(&m->waiters, me, 0, deadline, cancellable,
	                     FILCH__BECAUSE(mutex));
	assert(err || m->owner == me); /* it was handed over */
	return err;
}

/* Returns false *with the lock held* if the mutex has an owner. */
static inline bool take(struct filch_mutex *m, void *me)
{
	filch__lock(&m->waiters.lock);
	if (FILCH_UNLIKELY(m->owner != NULL))
		return false;
	FILCH__CHECK(filch__mutex_check(m));
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
	assert(m->owner != me);
	FILCH__CHECK(filch__mutex_check(m));
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
