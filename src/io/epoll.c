/* SPDX-License-Identifier: MIT */
#include "io/epoll.h"

#include <assert.h>
#include <errno.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "io/slot.h"
#include "io/uring.h"
#include "sched/own.h"

/* The data of the event that ends a wait. */
#define KICK UINT64_MAX

#define ROUND 16           /* events */
#define FEW 16             /* ready strands of a worker, or events for it */
#define LOOK_NS (FILCH_MS) /* between two looks of a worker that has FEW or more */

/* ---- life cycle ---- */

int filch__epoll_init(struct filch__reactor *io)
{
	io->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (io->epoll < 0)
		return -errno;
	io->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (io->event < 0)
		return -errno;
	return filch__sys_epoll_ctl(io->epoll, EPOLL_CTL_ADD, io->event,
	                            EPOLLIN | (uint32_t)EPOLLET, KICK);
}

void filch__epoll_destroy(struct filch__reactor *io)
{
	if (io->event >= 0)
		filch__sys_close(io->event);
	if (io->epoll >= 0)
		filch__sys_close(io->epoll);
}

/* ---- waiting ---- */

static struct filch__told *told(struct filch__reactor *io)
{
	uint32_t index = filch__worker_self()->index;

	assert(filch__worker_self()->pool == io->pool && index < io->pool->workers);
	return &io->told[index];
}

/* Returns how many events a worker may take. A worker that has strands to run and does
 * not wait looks less often, and takes only as many events as its stealable set has room
 * for (but at least FEW): a strand that goes to the inbox instead may stay there for
 * long. */
static int room(struct filch__told *t, uint64_t ns)
{
	struct filch__worker *w = filch__worker_self();
	size_t n = filch__own_size(w), places = filch__own_capacity(w) / 4 * 3;
	uint64_t now;

	if (ns || n < FEW)
		return FILCH__EVENTS;
	now = filch__now_ns();
	if (now - t->looked < LOOK_NS)
		return 0;
	t->looked = now;
	if (n + FEW > places)
		return FEW;
	return places - n < FILCH__EVENTS ? (int)(places - n) : FILCH__EVENTS;
}

void filch__epoll_wait(struct filch__driver *d, uint64_t ns)
{
	struct filch__reactor *io = (struct filch__reactor *)d;
	struct filch__told *t = told(io);
	int n = room(t, ns);

	assert(!t->n); /* each wait is followed by a serve */
	assert(!n || (n >= FEW && n <= FILCH__EVENTS));
	if (n)
		n = filch__sys_epoll_wait(io->epoll, t->event, n, ns);
	t->n = n > 0 ? n : 0; /* -EINTR counts as no event */
}

/* The eventfd is edge-triggered, so it need not be read: each write is reported once. */
void filch__epoll_kick(struct filch__driver *d)
{
	uint64_t one = 1;
	struct iovec v = {&one, sizeof one};

	filch__sys_writev(((struct filch__reactor *)d)->event, &v, 1, -1, 0);
}

/* ---- passing events on ---- */

static void serve_ring(struct filch__reactor *io, uint64_t data)
{
	assert(io->rings);
	filch__rings_serve(io->rings, data);
}

/* Serves events in rounds (report, claim, wake), so that the memory that one event needs
 * is fetched while the others are served. */
static void serve(struct filch__reactor *io, const struct epoll_event *e, int n)
{
	struct filch__woken w = {.n = 0};

	assert(n > 0 && n <= ROUND);
	for (int i = 0; i < n; i++)
		if (e[i].data.u64 < io->slots)
			filch__slot_report(&io->slot[e[i].data.u64], e[i].events);
	for (int i = 0; i < n; i++)
		if (e[i].data.u64 < io->slots)
			filch__slot_claim(&io->slot[e[i].data.u64], e[i].events, &w);
		else if (e[i].data.u64 != KICK)
			serve_ring(io, e[i].data.u64);
	filch__woken_wake(&w);
}

void filch__epoll_serve(struct filch__driver *d)
{
	struct filch__reactor *io = (struct filch__reactor *)d;
	struct filch__told *t = told(io);

	for (int i = 0; i < t->n; i++)
		if (t->event[i].data.u64 < io->slots)
			filch__fetch(&io->slot[t->event[i].data.u64], 1);
	for (int i = 0; i < t->n; i += ROUND)
		serve(io, &t->event[i], t->n - i < ROUND ? t->n - i : ROUND);
	t->n = 0;
}
