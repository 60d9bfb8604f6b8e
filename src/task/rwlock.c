/* SPDX-License-Identifier: MIT */
/*
 * A strand that leaves a read-write lock, or its list, lets in the waiters that may enter
 * now: from the first one up to one that may not. A strand that finds waiters waits behind
 * them. So the first waiter is one that has to wait, or one that another strand is about
 * to let in: a strand that gives up takes the lock again after it has left the list.
 */
#include "task/rwlock.h"

#include <assert.h>
#include <errno.h>

#include "base/check.h"
#include "base/cpu.h"
#include "base/misuse.h"
#include "task/sync.h"

enum { READ, WRITE };

static bool may_enter(const struct filch_rwlock *l, uint32_t kind)
{
	return !l->writer && (kind == READ || !l->readers);
}

void filch__rwlock_check(const struct filch_rwlock *l)
{
	const struct filch__waiter *first = filch__first_waiter(&l->waiters);

	assert(!l->writer || !l->readers);
	assert(!first || l->writer || l->readers); /* a free lock has no waiters */
	assert(!first || first->kind == READ || first->kind == WRITE);
	assert(!first || first->data != l->writer); /* the writer does not wait */
	(void)first;
}

static void enter(struct filch_rwlock *l, void *me, uint32_t kind)
{
	assert(may_enter(l, kind));
	if (kind == READ)
		l->readers++;
	else
		l->writer = me;
}

/* Caller: holds the lock, which this function releases. */
static void let_in(struct filch_rwlock *l)
{
	struct filch__waiter *x;
	struct filch__wakeups woken;

	woken.n = 0;
	while ((x = filch__first_waiter(&l->waiters)) && may_enter(l, x->kind)) {
		if (!filch__claim(x, filch__next_wakeup(&woken)))
			continue;
		woken.n++;
		enter(l, x->data, x->kind);
	}
	FILCH__CHECK(filch__rwlock_check(l));
	filch__unlock(&l->waiters.lock);
	filch__wake_several(&woken);
}

/* Returns false *with the lock held* if the caller has to wait. */
static inline bool take(struct filch_rwlock *l, void *me, uint32_t kind)
{
	filch__lock(&l->waiters.lock);
	if (FILCH_UNLIKELY(filch__first_waiter(&l->waiters) || !may_enter(l, kind)))
		return false;
	enter(l, me, kind);
	FILCH__CHECK(filch__rwlock_check(l));
	filch__unlock(&l->waiters.lock);
	return true;
}

/* Caller: holds the lock. */
static FILCH_NOINLINE int wait_for(struct filch_rwlock *l, void *me, uint32_t kind,
                                   uint64_t deadline, bool cancellable, const char *call)
{
	int result;

	if (l->writer == me)
		filch__misuse(call, "the caller has locked it for writing already; "
		                    "unlock it first");
	FILCH__CHECK(filch__rwlock_check(l));
	result = filch__wait_as(&l->waiters, me, kind, deadline, cancellable,
	                        FILCH__BECAUSE(rwlock));
	assert(result < 0 || kind == READ || l->writer == me); /* it was handed over */
	if (result < 0) {
		/* The next waiters may have waited only for this strand. */
		filch__lock(&l->waiters.lock);
		let_in(l);
	}
	return result;
}

static int try_take(struct filch_rwlock *l, uint32_t kind)
{
	if (take(l, filch__me(), kind))
		return 0;
	filch__unlock(&l->waiters.lock);
	return -EAGAIN;
}

/* ---- readers ---- */

void filch_rwlock_read(struct filch_rwlock *l)
{
	void *me = filch__me();

	if (!take(l, me, READ))
		wait_for(l, me, READ, FILCH_NEVER, false, "filch_rwlock_read");
}

int filch_rwlock_read_until(struct filch_rwlock *l, uint64_t deadline)
{
	void *me = filch__me();

	if (take(l, me, READ))
		return 0;
	return wait_for(l, me, READ, deadline, true, "filch_rwlock_read_until");
}

int filch_rwlock_try_read(struct filch_rwlock *l)
{
	return try_take(l, READ);
}

void filch_rwlock_read_unlock(struct filch_rwlock *l)
{
	filch__lock(&l->waiters.lock);
	if (!l->readers)
		filch__misuse("filch_rwlock_read_unlock",
		              "nobody has locked it for reading; lock it first");
	l->readers--;
	let_in(l);
}

/* ---- writers ---- */

void filch_rwlock_write(struct filch_rwlock *l)
{
	void *me = filch__me();

	if (!take(l, me, WRITE))
		wait_for(l, me, WRITE, FILCH_NEVER, false, "filch_rwlock_write");
}

int filch_rwlock_write_until(struct filch_rwlock *l, uint64_t deadline)
{
	void *me = filch__me();

	if (take(l, me, WRITE))
		return 0;
	return wait_for(l, me, WRITE, deadline, true, "filch_rwlock_write_until");
}

int filch_rwlock_try_write(struct filch_rwlock *l)
{
	return try_take(l, WRITE);
}

void filch_rwlock_write_unlock(struct filch_rwlock *l)
{
	void *me = filch__me();

	filch__lock(&l->waiters.lock);
	if (!l->writer)
		filch__misuse("filch_rwlock_write_unlock",
		              "nobody has locked it for writing; lock it first");
	if (l->writer != me)
		filch__misuse(
			"filch_rwlock_write_unlock",
			"it was locked by another strand or thread; unlock it where "
			"it was locked");
	l->writer = NULL;
	let_in(l);
}
