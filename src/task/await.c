/* SPDX-License-Identifier: MIT */
/*
 * Waiting for futures: for one, for all, for any of several; and refusing a wait that
 * would never end.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/fork.h"
#include "base/misuse.h"
#include "pool/pool.h"
#include "task/future.h"
#include "task/sync.h"
#include "wait/wait.h"

#define FEW 16 /* futures that a call can wait for without allocating memory */

static struct filch__lock edges_lock;

/* Another thread of the parent may have held the lock. */
static void after_fork(void)
{
	edges_lock = (struct filch__lock){0};
}

__attribute__((constructor)) static void watch_forks(void)
{
	static struct filch__fork forks = {.child = after_fork};

	filch__fork_watch(&forks);
}

/* ---- which future awaits which ---- */

/* Whether the caller is part of the future: its strand, a task that was stolen from
 * there, or a task of a group begun by these. */
static bool is_part_of(struct filch_future *f)
{
	struct filch__worker *w = filch__worker_self();
	struct filch_group *g = w && w->active ? filch__group_at(w->active, &w) : NULL;

	while (g && g != &f->group)
		g = g->parent;
	return g || filch__future_self() == f;
}

/* Notes that `self` awaits f. Returns false if that would close a cycle. The futures on
 * the way exist as long as they are awaited. */
static bool edge_add(struct filch_future *self, struct filch_future *f)
{
	struct filch_future *at = f;

	filch__lock(&edges_lock);
	assert(!self->awaiting); /* invariant 11: at most one */
	while (at && at != self)
		at = at->awaiting;
	if (!at)
		self->awaiting = f;
	filch__unlock(&edges_lock);
	return !at;
}

static void edge_remove(struct filch_future *self)
{
	filch__lock(&edges_lock);
	assert(self->awaiting);
	self->awaiting = NULL;
	filch__unlock(&edges_lock);
}

/* ---- waiting ---- */

/* Whether no thread of this process will ever end the future, because it was started
 * before a fork. Caller: holds its lock. */
static bool is_parents(struct filch_future *f)
{
	return !filch__worker_self() && filch__pool_is_parents(f->pool);
}

/* Returns 0 if the future is done, -EAGAIN if the caller has to wait, or an error. If the
 * caller has to wait, *self is the future that awaits f, or NULL. Caller: holds the lock
 * of f. */
static int look(struct filch_future *f, uint64_t deadline, struct filch_future **self)
{
	FILCH__CHECK(filch__future_check(f));
	if (f->done)
		return 0;
	if (is_parents(f))
		return -ECHILD;
	if (is_part_of(f))
		return -EDEADLK;
	*self = deadline == FILCH_NEVER ? filch__future_self() : NULL;
	return *self && !edge_add(*self, f) ? -EDEADLK : -EAGAIN;
}

/* Returns 0 when the future is done, even if it was cancelled. */
static int await(struct filch_future *f, uint64_t deadline, bool cancellable)
{
	struct filch__waiter x = {.reason = FILCH__BECAUSE(future)};
	struct filch_future *self = NULL;
	int got;

	if (!f)
		return -EINVAL;
	filch__lock(&f->waiters.lock);
	got = look(f, deadline, &self);
	if (got != -EAGAIN) {
		filch__unlock(&f->waiters.lock);
		return got;
	}
	x.list = &f->waiters;
	got = filch__wait_for_pool(f->pool, &x, 1, deadline, cancellable);
	if (self)
		edge_remove(self);
	assert(got < 0 || f->done);
	return got < 0 ? got : 0;
}

int filch_await_until(struct filch_future *f, uint64_t deadline)
{
	int err = await(f, deadline, true);

	return !err && f->dropped ? -ECANCELED : err;
}

int filch_await(struct filch_future *f)
{
	return filch_await_until(f, FILCH_NEVER);
}

void filch__future_await(struct filch_future *f)
{
	switch (await(f, FILCH_NEVER, false)) {
	case -EINVAL:
		filch__misuse("FILCH_AWAIT", "there is no future: it is NULL, as when "
		                             "there was no memory to start it");
	case -ECHILD:
		filch__misuse("FILCH_AWAIT", "the future belongs to the parent process");
	case -EDEADLK:
		filch__misuse("FILCH_AWAIT",
		              "the future of task '%s' awaits itself, or another one "
		              "that awaits it in turn, and would never be done",
		              filch__title_name(filch__title_of(f->inner)).text);
	default:
		return;
	}
}

int filch_await_all_until(struct filch_future *const *f, size_t n, uint64_t deadline)
{
	int err = n ? 0 : -EINVAL;

	for (size_t i = 0; i < n && !err; i++)
		err = f[i] ? 0 : -EINVAL;
	for (size_t i = 0; i < n && !err; i++)
		err = await(f[i], deadline, true);
	return err;
}

int filch_await_all(struct filch_future *const *f, size_t n)
{
	return filch_await_all_until(f, n, FILCH_NEVER);
}

/* ---- any of several ---- */

static int by_list(const void *a, const void *b)
{
	const struct filch__waiter *x = a, *y = b;

	if (x->list != y->list)
		return (uintptr_t)x->list < (uintptr_t)y->list ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* Returns the index of a future that is done, -EAGAIN if there is none, or -ECHILD if one
 * belongs to the parent process. Caller: holds the locks of all the futures. */
static int first_done(struct filch_future *const *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (f[i]->done)
			return (int)i;
	for (uint32_t i = 0; i < n; i++)
		if (is_parents(f[i]))
			return -ECHILD;
	return -EAGAIN;
}

static int wait_for_any(struct filch_future *const *f, struct filch__waiter *x,
                        uint32_t n, uint64_t deadline)
{
	int got;

	for (uint32_t i = 0; i < n; i++)
		x[i] = (struct filch__waiter){.list = &f[i]->waiters,
		                              .kind = i,
		                              .reason = FILCH__BECAUSE(future)};
	qsort(x, n, sizeof *x, by_list);
	filch__lists_lock(x, n);
	got = first_done(f, n);
	if (got != -EAGAIN) {
		filch__lists_unlock(x, n);
		return got;
	}
	got = filch__wait_for_pool(f[0]->pool, x, n, deadline, true);
	assert(got < 0 || ((uint32_t)got < n && f[x[got].kind]->done));
	return got < 0 ? got : (int)x[got].kind;
}

/* Returns 0, or an error if these futures cannot be waited for: -EDEADLK if the caller is
 * part of each. */
static int check_any(struct filch_future *const *f, size_t n)
{
	size_t parts = 0;

	if (!n || n > INT_MAX)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!f[i])
			return -EINVAL;
	while (parts < n && is_part_of(f[parts]))
		parts++;
	return parts == n ? -EDEADLK : 0;
}

int filch_await_any_until(struct filch_future *const *f, size_t n, uint64_t deadline)
{
	struct filch__waiter few[FEW], *x = few;
	int got = check_any(f, n);

	if (got)
		return got;
	if (n > FEW)
		x = malloc(n * sizeof *x);
	if (!x)
		return -ENOMEM;
	got = wait_for_any(f, x, (uint32_t)n, deadline);
	if (x != few)
		free(x);
	return got;
}

int filch_await_any(struct filch_future *const *f, size_t n)
{
	return filch_await_any_until(f, n, FILCH_NEVER);
}
