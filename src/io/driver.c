/* SPDX-License-Identifier: MIT */
#include "io/driver.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/fork.h"
#include "base/layout.h"
#include "io/epoll.h"
#include "io/slot.h"
#include "io/uring.h"
#include "pool/pool.h"

/* All reactors: a close must reach the strands of every pool that wait for the number. */
static struct filch__lock all_lock;
static struct filch__reactor *all;

/* With these a debugger finds the descriptor that a strand waits for. */
FILCH__FOR_DEBUGGERS const struct filch__layout filch__debug_io[] = {
	{FILCH__LAYOUT_AT(filch__reactor, slots)},
	{FILCH__LAYOUT_AT(filch__reactor, slot)},
	{FILCH__LAYOUT_SIZE(filch__slot)},
	{"", 0},
};

static void io_free(struct filch__reactor *io)
{
	if (io->rings)
		filch__rings_free(io->rings);
	filch__epoll_destroy(io);
	filch__slots_destroy(io);
	free(io->told);
	free(io);
}

static void io_destroy(struct filch__driver *d)
{
	struct filch__reactor *io = (struct filch__reactor *)d, **link = &all;

	filch__lock(&all_lock);
	while (*link && *link != io) /* the child of a fork has forgotten it */
		link = &(*link)->next;
	if (*link)
		*link = io->next;
	filch__unlock(&all_lock);
	io_free(io);
}

/* Strands are woken with this lock held. None of them needs it to resume: each list of
 * waiters has a lock of its own. */
enum filch__fd_kind filch__fd_close(const struct filch__reactor *io, int fd)
{
	enum filch__fd_kind kind = FILCH__FD_UNKNOWN, found;

	filch__lock(&all_lock);
	for (struct filch__reactor *x = all; x; x = x->next) {
		found = filch__slot_close(x, fd);
		if (x == io)
			kind = found;
	}
	filch__unlock(&all_lock);
	return kind;
}

int filch__fd_new(int fd)
{
	if (fd < 0)
		return fd;
	filch__lock(&all_lock);
	for (struct filch__reactor *x = all; x; x = x->next)
		filch__slot_forget(x, fd);
	filch__unlock(&all_lock);
	return fd;
}

void filch__fd_closed(int fd)
{
	filch__lock(&all_lock);
	for (struct filch__reactor *x = all; x; x = x->next)
		filch__slot_closed(x, fd);
	filch__unlock(&all_lock);
}

/* Makes rings, if they are wanted and the system has them. */
static int init_rings(struct filch__reactor *io, enum filch__io kind)
{
	int err = kind == FILCH__IO_EPOLL ? -ENOSYS : filch__uring_probe(NULL, 0);

	if (err)
		return kind == FILCH__IO_URING ? err : 0;
	io->rings = filch__rings_new(io->epoll, io->pool->workers);
	return io->rings ? 0 : -ENOMEM;
}

static int io_new(struct filch__reactor **out, struct filch_pool *pool,
                  enum filch__io kind)
{
	struct filch__reactor *io = calloc(1, sizeof *io);
	int err = -ENOMEM;

	assert(pool->workers);
	if (!io)
		return err;
	io->driver = (struct filch__driver){filch__epoll_wait, filch__epoll_serve,
	                                    filch__epoll_kick, io_destroy};
	io->pool = pool;
	io->epoll = io->event = -1;
	io->told = calloc(pool->workers, sizeof *io->told);
	if (!io->told || (err = filch__slots_init(io)) || (err = filch__epoll_init(io)) ||
	    (err = init_rings(io, kind))) {
		io_free(io);
		return err;
	}
	*out = io;
	return 0;
}

/* Runs in the child of a fork: the epoll sets are the parent's, and a thread that held
 * the lock does not exist here. */
static void forget_all(void)
{
	all = NULL;
	all_lock = (struct filch__lock){0};
}

static FILCH_NOINLINE int make(struct filch__reactor **io, struct filch_pool *pool)
{
	static struct filch__fork forks = {.child = forget_all};
	struct filch__reactor *mine = NULL;
	int err = io_new(&mine, pool, filch__pool_whole(pool)->settings.io);

	if (err)
		return err;
	filch__fork_watch(&forks);
	filch__lock(&all_lock);
	*io = (struct filch__reactor *)filch__driver_set(pool, &mine->driver);
	assert(*io && (*io)->pool == pool);
	if (*io == mine) {
		mine->next = all;
		all = mine;
	}
	filch__unlock(&all_lock);
	if (*io != mine)
		io_free(mine);
	return 0;
}

int filch__io_self(struct filch__reactor **io)
{
	struct filch__worker *w = filch__worker_self();

	*io = NULL;
	if (!w || !w->active)
		return 0;
	*io = (struct filch__reactor *)filch__driver(w->pool);
	assert(!*io || (*io)->pool == w->pool);
	return *io ? 0 : make(io, w->pool);
}
