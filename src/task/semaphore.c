/* SPDX-License-Identifier: MIT */
/*
 * Each waiter of a semaphore wants one unit, and a release gives units to waiters before
 * it adds to `count`. So `count` is nonzero only while no strand waits.
 */
#include "task/semaphore.h"

#include <assert.h>
#include <errno.h>

#include "base/check.h"
#include "base/cpu.h"
#include "base/misuse.h"
#include "task/sync.h"

void filch__semaphore_check(const struct filch_semaphore *s)
{
	assert(!s->count || !filch__first_waiter(&s->waiters));
	(void)s;
}

/* Returns false *with the lock held* if the count is 0. */
static inline bool take(struct filch_semaphore *s)
{
	filch__lock(&s->waiters.lock);
	FILCH__CHECK(filch__semaphore_check(s));
	if (FILCH_UNLIKELY(!s->count))
		return false;
	s->count--;
	filch__unlock(&s->waiters.lock);
	return true;
}

int filch_semaphore_acquire_until(struct filch_semaphore *s, uint64_t deadline)
{
	if (FILCH_LIKELY(take(s)))
		return 0;
	return filch__wait_as(&s->waiters, NULL, 0, deadline, true,
	                      FILCH__BECAUSE(semaphore));
}

int filch_semaphore_acquire(struct filch_semaphore *s)
{
	return filch_semaphore_acquire_until(s, FILCH_NEVER);
}

int filch_semaphore_try_acquire(struct filch_semaphore *s)
{
	if (take(s))
		return 0;
	filch__unlock(&s->waiters.lock);
	return -EAGAIN;
}

void filch_semaphore_release(struct filch_semaphore *s, uint64_t n)
{
	struct filch__wakeups woken;
	struct filch__waiter *x;

	woken.n = 0;
	filch__lock(&s->waiters.lock);
	while (n && (x = filch__first_waiter(&s->waiters))) {
		if (!filch__claim(x, filch__next_wakeup(&woken)))
			continue;
		woken.n++;
		n--;
	}
	if (s->count > UINT64_MAX - n)
		filch__misuse("filch_semaphore_release",
		              "the count is beyond 2^64; release what was acquired");
	s->count += n;
	FILCH__CHECK(filch__semaphore_check(s));
	filch__unlock(&s->waiters.lock);
	filch__wake_several(&woken);
}
