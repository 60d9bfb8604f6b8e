/* SPDX-License-Identifier: MIT */
/*
 * Who waits for which descriptor, and being told by epoll that it is ready. See README.md.
 */
#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "io/driver.h"
#include "io/op.h"
#include "sched/wait.h"

/* Numbers from here on have no slot. */
#define SLOTS_MAX (1u << 22)

#define WATCHED ((uint32_t)EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | (uint32_t)EPOLLET)
#define FAILED ((uint32_t)EPOLLERR | EPOLLHUP)
#define INPUT ((uint32_t)EPOLLIN | EPOLLPRI | EPOLLRDHUP | FAILED)
#define OUTPUT ((uint32_t)EPOLLOUT | FAILED)
#define ODD ((uint32_t)EPOLLPRI | EPOLLRDHUP | FAILED)

/* In the data of the event that ends a wait. */
#define KICK UINT64_MAX

#define WAKE_BATCH 32
#define ROUND 16 /* events */

/* Of a strand that waits, what it needs first: frames on both sides of its waiter. */
#define BELOW 384
#define ABOVE 384

#define FEW 16             /* strands that wait for a worker, or events for it */
#define LOOK_NS (FILCH_MS) /* between two looks of a worker that has more than a few */
#define SLICE_NS (100 * FILCH_MS) /* of a wait by a helper */

/* ---- life cycle ---- */

static int map_slots(struct filch__reactor *io)
{
	struct rlimit most;
	void *at;

	io->slots = SLOTS_MAX;
	if (!getrlimit(RLIMIT_NOFILE, &most) && most.rlim_max < SLOTS_MAX)
		io->slots = (uint32_t)most.rlim_max;
	at = mmap(NULL, io->slots * sizeof *io->slot, PROT_READ | PROT_WRITE,
	          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	io->slot = at;
	return 0;
}

int filch__epoll_init(struct filch__reactor *io)
{
	int err = map_slots(io);

	if (err)
		return err;
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
	if (io->slot)
		munmap(io->slot, io->slots * sizeof *io->slot);
}

/* ---- the lookout's side ---- */

static struct filch__told *told(struct filch__reactor *io)
{
	return &io->told[filch__worker_self()->index];
}

/* How many events a worker may be told of. When it only has a look, and has strands to run
 * as it is: not so often, and not more than find a place in its stealable set; what goes
 * to the inbox instead may lie there for long. */
static int room(struct filch__told *t, uint64_t ns)
{
	struct filch_runq *ready = &filch__worker_self()->ready;
	uint64_t n = load_rlx(&ready->tail) - load_rlx(&ready->head); /* a hint */
	uint64_t now, places = ready->mask - ready->mask / 4;

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

	if (n)
		n = filch__sys_epoll_wait(io->epoll, t->event, n, ns);
	t->n = n > 0 ? n : 0; /* -EINTR: as good as nothing */
}

/* Edge-triggered, so it need not be read: each write is told once. */
void filch__epoll_kick(struct filch__driver *d)
{
	uint64_t one = 1;
	struct iovec v = {&one, sizeof one};

	filch__sys_writev(((struct filch__reactor *)d)->event, &v, 1, -1, 0);
}

/* What was told of a descriptor, as far as it concerns anybody here. */
static uint32_t events_of(const struct epoll_event *e)
{
	return e->events & FAILED ? e->events | WATCHED : e->events;
}

static void take_note(struct filch__slot *s, uint32_t events)
{
	const struct filch__waiter *x;

	filch__lock(&s->waiters.lock);
	if (events & INPUT) {
		s->in++;
		s->dry = false;
	}
	s->out += (events & OUTPUT) != 0;
	s->odd |= (events & ODD) != 0;
	x = s->waiters.first;
	filch__unlock(&s->waiters.lock);
	if (x)
		filch__fetch((char *)x - BELOW, BELOW + ABOVE);
}

struct woken {
	uint32_t n;
	struct filch__wakeup who[WAKE_BATCH];
};

static void wake(struct woken *w)
{
	for (uint32_t i = 0; i < w->n; i++)
		filch__wakeup(&w->who[i]);
	w->n = 0;
}

/* Claims those who wait for these events. */
static void claim(struct filch__slot *s, uint32_t events, struct woken *w)
{
	struct filch__waiter *x, *next;

	filch__lock(&s->waiters.lock);
	for (x = s->waiters.first; x; x = next) {
		next = x->next;
		if (!(x->kind & events) || !filch__claim(x, &w->who[w->n]))
			continue;
		filch__fetch(w->who[w->n].ticket.strand, sizeof(struct filch__strand));
		if (++w->n == WAKE_BATCH)
			wake(w); /* with the lock: who waits again is not found again */
	}
	filch__unlock(&s->waiters.lock);
}

/* In three rounds, so that the memory of the one is fetched while the others have their
 * turn. */
static void serve(struct filch__reactor *io, const struct epoll_event *e, int n)
{
	struct woken w = {.n = 0};

	for (int i = 0; i < n; i++)
		if (e[i].data.u64 < io->slots)
			take_note(&io->slot[e[i].data.u64], events_of(&e[i]));
	for (int i = 0; i < n; i++)
		if (e[i].data.u64 < io->slots)
			claim(&io->slot[e[i].data.u64], events_of(&e[i]), &w);
		else if (e[i].data.u64 != KICK)
			filch__rings_serve(io->rings, e[i].data.u64);
	wake(&w);
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

/* ---- the caller's side ---- */

static struct filch__slot *slot_of(struct filch__reactor *io, int fd)
{
	return io && fd >= 0 && (uint32_t)fd < io->slots ? &io->slot[fd] : NULL;
}

static void note(struct filch__use *u, const struct filch__slot *s)
{
	u->kind = (enum filch__fd_kind)s->kind;
	u->dry = s->dry;
	u->in = s->in;
	u->out = s->out;
	u->closed = s->closed;
}

/* Finds out what it is. */
static FILCH_NOINLINE int classify(struct filch__use *u)
{
	struct filch__slot *s = u->slot;
	int err = filch__sys_kind(u->fd, &u->kind);

	if (err || !s)
		return err;
	filch__lock(&s->waiters.lock);
	if (s->closed == u->closed)
		s->kind = (uint8_t)u->kind;
	filch__unlock(&s->waiters.lock);
	return 0;
}

int filch__use_again(struct filch__use *u)
{
	struct filch__slot *s = u->slot;

	if (s) {
		filch__lock(&s->waiters.lock);
		s->kind = FILCH__FD_UNKNOWN;
		s->watched = s->dry = s->odd = false;
		note(u, s);
		filch__unlock(&s->waiters.lock);
	}
	return classify(u);
}

int filch__use_begin(struct filch__use *u, int fd, uint64_t deadline)
{
	int err;

	*u = (struct filch__use){.fd = fd, .deadline = deadline};
	err = filch__io_self(&u->io);
	if (err)
		return err;
	if (u->io && filch_cancelled())
		return -ECANCELED;
	u->slot = slot_of(u->io, fd);
	if (u->slot) {
		filch__lock(&u->slot->waiters.lock);
		note(u, u->slot);
		filch__unlock(&u->slot->waiters.lock);
	}
	return u->kind == FILCH__FD_UNKNOWN ? classify(u) : 0;
}

/* Puts it into the epoll set. What has happened already is told, too. */
static int watch(struct filch__use *u, struct filch__slot *s)
{
	int err = filch__sys_epoll_ctl(u->io->epoll, EPOLL_CTL_ADD, u->fd, WATCHED,
	                               (uint64_t)u->fd);

	if (err == -EEXIST) /* known from a time when the number was another's */
		err = filch__sys_epoll_ctl(u->io->epoll, EPOLL_CTL_MOD, u->fd, WATCHED,
		                           (uint64_t)u->fd);
	if (err == -EPERM)
		s->kind = u->kind = FILCH__FD_FILE;
	s->watched = !err;
	return err;
}

int filch__use_watch(struct filch__use *u)
{
	struct filch__slot *s = u->slot;
	int err = 0;

	if (!s)
		return 0;
	filch__lock(&s->waiters.lock);
	if (s->closed != u->closed)
		err = -EBADF;
	else if (!s->watched)
		err = watch(u, s);
	filch__unlock(&s->waiters.lock);
	return err;
}

/* Without a slot: asks the system, on a helper if on a strand. */
static int wait_by_poll(struct filch__use *u, uint32_t events)
{
	struct filch__op op = {.kind = FILCH__OP_POLL, .fd = u->fd, .flags = (int)events};
	uint64_t now;
	ssize_t r;

	do {
		now = u->io || u->deadline != FILCH_NEVER ? filch__now_ns() : 0;
		if (now >= u->deadline)
			return -ETIMEDOUT;
		op.until = u->deadline;
		if (u->io && u->deadline - now > SLICE_NS)
			op.until = now + SLICE_NS; /* and sees then if it is cancelled */
		r = filch__op_run(u->io, &op, u->deadline, true);
	} while (!r);
	return r < 0 ? (int)r : r & POLLNVAL ? -EBADF : 0;
}

/* Something has happened since the call tried. */
static bool is_news(const struct filch__use *u, const struct filch__slot *s,
                    uint32_t events)
{
	return (events & INPUT && s->in != u->in) ||
	       (events & OUTPUT && s->out != u->out);
}

int filch__use_wait(struct filch__use *u, uint32_t events)
{
	struct filch__slot *s = u->slot;
	int result = 0, err = 0;
	struct filch__waiter x = {.data = &result, .kind = events | FAILED};

	if (!s)
		return wait_by_poll(u, events);
	x.list = &s->waiters;
	x.reason = (struct filch__reason){
		events & EPOLLOUT ? filch__why_output : filch__why_input, u->fd};
	filch__lock(&s->waiters.lock);
	if (s->closed != u->closed)
		err = -EBADF;
	else if (!s->watched)
		err = watch(u, s);
	if (err || is_news(u, s, events)) {
		note(u, s);
		filch__unlock(&s->waiters.lock);
		return err;
	}
	err = filch__wait(&x, 1, u->deadline, true);
	if (result)
		return result;
	filch__lock(&s->waiters.lock);
	if (s->closed != u->closed)
		err = -EBADF;
	note(u, s);
	filch__unlock(&s->waiters.lock);
	return err < 0 ? err : 0;
}

void filch__use_dry(struct filch__use *u)
{
	struct filch__slot *s = u->slot;

	if (u->kind != FILCH__FD_TCP || !s)
		return;
	filch__lock(&s->waiters.lock);
	if (s->in == u->in && s->closed == u->closed && !s->odd)
		s->dry = true;
	filch__unlock(&s->waiters.lock);
}

/* ---- numbers that change hands ---- */

static void forget(struct filch__slot *s)
{
	s->closed++;
	s->kind = FILCH__FD_UNKNOWN;
	s->watched = s->dry = s->odd = false;
}

void filch__slot_forget(struct filch__reactor *io, int fd)
{
	struct filch__slot *s = slot_of(io, fd);

	if (!s)
		return;
	filch__lock(&s->waiters.lock);
	if (s->kind != FILCH__FD_UNKNOWN)
		forget(s);
	filch__unlock(&s->waiters.lock);
}

enum filch__fd_kind filch__slot_close(struct filch__reactor *io, int fd)
{
	struct filch__slot *s = slot_of(io, fd);
	enum filch__fd_kind kind;

	if (!s)
		return FILCH__FD_UNKNOWN;
	filch__lock(&s->waiters.lock);
	kind = (enum filch__fd_kind)s->kind;
	if (s->watched) /* a copy of it may go on to live, and be told of */
		filch__sys_epoll_ctl(io->epoll, EPOLL_CTL_DEL, fd, 0, 0);
	forget(s);
	for (struct filch__waiter *x = s->waiters.first; x; x = x->next)
		*(int *)x->data =
			-EBADF; /* read when its wait is over, however that ends */
	filch__wake_all(&s->waiters);
	return kind;
}

/* The number may be a new descriptor's by now. Its users lose nothing by trying again. */
void filch__slot_closed(struct filch__reactor *io, int fd)
{
	struct filch__slot *s = slot_of(io, fd);

	if (!s)
		return;
	filch__lock(&s->waiters.lock);
	s->kind = FILCH__FD_UNKNOWN;
	s->watched = s->dry = false;
	s->in++;
	s->out++;
	filch__wake_all(&s->waiters);
}
