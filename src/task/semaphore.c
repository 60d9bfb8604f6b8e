/* SPDX-License-Identifier: MIT */
/*
 * Semaphore. Each of those that wait wants one, and gets it from the release itself: so
 * `count` is not 0 only while nobody waits.
 */
#include <errno.h>

#include "base/cpu.h"
#include "sched/misuse.h"
#include "task/sync.h"

/* False, and the lock is held, if there is none. */
static inline bool take(struct filch_semaphore *s)
{
	filch__lock(&s->waiters.lock);
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
	while (n && (x = s->waiters.first)) {
		if (!filch__claim(x, filch__next_wakeup(&woken)))
			continue;
		woken.n++;
		n--;
	}
	if (s->count > UINT64_MAX - n)
		filch__misuse("filch_semaphore_release",
		              "the count is beyond 2^64; release what was acquired");
	s->count += n;
	filch__unlock(&s->waiters.lock);
	filch__wake_several(&woken);
}
