/* SPDX-License-Identifier: MIT */
#include "io/slot.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/check.h"
#include "base/clock.h"
#include "io/op.h"
#include "wait/keep.h"

/* Numbers from here on have no slot. */
#define SLOTS_MAX (1u << 22)

#define WATCHED ((uint32_t)EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | (uint32_t)EPOLLET)
#define FAILED ((uint32_t)EPOLLERR | EPOLLHUP)
#define INPUT ((uint32_t)EPOLLIN | EPOLLPRI | EPOLLRDHUP | FAILED)
#define OUTPUT ((uint32_t)EPOLLOUT | FAILED)
#define ODD ((uint32_t)EPOLLPRI | EPOLLRDHUP | FAILED)

_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLPRI == EPOLLPRI &&
                       POLLERR == EPOLLERR && POLLHUP == EPOLLHUP &&
                       POLLRDHUP == EPOLLRDHUP,
               "callers wait for the events of poll()");

/* The memory that a strand needs first when it resumes: the frames around its waiter. */
#define BELOW 384
#define ABOVE 384

#define SLICE_NS (100 * FILCH_MS) /* the longest wait of a helper */

/* ---- life cycle ---- */

int filch__slots_init(struct filch__reactor *io)
{
	struct rlimit most;
	void *at;

	assert(!io->slot);
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

void filch__slots_destroy(struct filch__reactor *io)
{
	if (io->slot)
		munmap(io->slot, io->slots * sizeof *io->slot);
}

static struct filch__slot *slot_of(struct filch__reactor *io, int fd)
{
	return io && fd >= 0 && (uint32_t)fd < io->slots ? &io->slot[fd] : NULL;
}

/* ---- invariants ---- */

/* Looks at the first and the last waiter only: there may be thousands. */
void filch__slot_check(const struct filch__slot *s)
{
	const struct filch__waiter *first = filch__first_waiter(&s->waiters);
	const struct filch__waiter *last = filch__last_waiter(&s->waiters);

	assert(s->kind <= FILCH__FD_FILE);
	assert(!s->dry || !s->odd); /* invariant 4 */
	/* A failure ends every wait, and a close leaves its error in each. */
	assert(!first || ((first->kind & FAILED) == FAILED && first->data));
	assert(!last || ((last->kind & FAILED) == FAILED && last->data));
	(void)first;
	(void)last;
}

void filch__use_check(const struct filch__use *u)
{
	const struct filch__slot *s = u->slot;

	assert(s && s == slot_of(u->io, u->fd));
	/* Invariant 1 needs counts that only grow. They wrap around. */
	assert((int32_t)(s->in - u->in) >= 0);
	assert((int32_t)(s->out - u->out) >= 0);
	assert((int32_t)(s->closed - u->closed) >= 0);
	filch__slot_check(s);
}

/* ---- the lookout's side ---- */

/* A descriptor that failed is ready for everything. */
static uint32_t widen(uint32_t events)
{
	return events & FAILED ? events | WATCHED : events;
}

void filch__slot_report(struct filch__slot *s, uint32_t events)
{
	const struct filch__waiter *x;

	events = widen(events);
	assert(events & (INPUT | OUTPUT)); /* otherwise the report would be lost */
	filch__lock(&s->waiters.lock);
	if (events & INPUT) {
		s->in++;
		s->dry = false;
	}
	s->out += (events & OUTPUT) != 0;
	s->odd |= (events & ODD) != 0;
	FILCH__CHECK(filch__slot_check(s));
	x = filch__first_waiter(&s->waiters);
	filch__unlock(&s->waiters.lock);
	if (x)
		filch__fetch((char *)x - BELOW, BELOW + ABOVE);
}

void filch__woken_wake(struct filch__woken *w)
{
	assert(w->n <= FILCH__WOKEN);
	for (uint32_t i = 0; i < w->n; i++)
		filch__wakeup(&w->one[i]);
	w->n = 0;
}

void filch__slot_claim(struct filch__slot *s, uint32_t events, struct filch__woken *w)
{
	struct filch__waiter *x, *next;

	events = widen(events);
	filch__lock(&s->waiters.lock);
	for (x = filch__first_waiter(&s->waiters); x; x = next) {
		next = filch__next_waiter(x);
		assert(w->n < FILCH__WOKEN);
		if (!(x->kind & events) || !filch__claim(x, &w->one[w->n]))
			continue;
		filch__fetch(w->one[w->n].ticket.strand, sizeof(struct filch__strand));
		/* The lock stays held, so a strand that waits again is not found
		 * again. */
		if (++w->n == FILCH__WOKEN)
			filch__woken_wake(w);
	}
	filch__unlock(&s->waiters.lock);
}

/* ---- numbers that change hands ---- */

static void forget(struct filch__slot *s)
{
	s->closed++;
	s->kind = FILCH__FD_UNKNOWN;
	s->watched = s->dry = s->odd = false;
	FILCH__CHECK(filch__slot_check(s));
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
	/* A duplicate may keep the file open, and epoll would still report it. */
	if (s->watched)
		filch__sys_epoll_ctl(io->epoll, EPOLL_CTL_DEL, fd, 0, 0);
	forget(s);
	/* Each waiter reads its error when its wait is over, however the wait ends. */
	for (struct filch__waiter *x = filch__first_waiter(&s->waiters); x;
	     x = filch__next_waiter(x))
		*(int *)x->data = -EBADF;
	filch__wake_all(&s->waiters);
	return kind;
}

/* The number may be a new descriptor's by now: its users lose nothing by trying again. */
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
	FILCH__CHECK(filch__slot_check(s));
	filch__wake_all(&s->waiters);
}

/* ---- the caller's side ---- */

static void note(struct filch__use *u, const struct filch__slot *s)
{
	assert(u->slot == s);
	u->kind = (enum filch__fd_kind)s->kind;
	u->dry = s->dry;
	u->in = s->in;
	u->out = s->out;
	u->closed = s->closed;
}

/* Finds the kind of a descriptor. */
static FILCH_NOINLINE int classify(struct filch__use *u)
{
	struct filch__slot *s = u->slot;
	int err = filch__sys_kind(u->fd, &u->kind);

	assert(err || u->kind != FILCH__FD_UNKNOWN);
	if (err || !s)
		return err;
	filch__lock(&s->waiters.lock);
	FILCH__CHECK(filch__use_check(u));
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
		FILCH__CHECK(filch__use_check(u));
		s->kind = FILCH__FD_UNKNOWN;
		s->watched = s->dry = s->odd = false;
		note(u, s);
		filch__unlock(&s->waiters.lock);
	}
	return classify(u);
}

int filch__use_try(struct filch__use *u, int fd)
{
	int err;

	*u = (struct filch__use){.fd = fd};
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

int filch__use_begin(struct filch__use *u, int fd, uint64_t deadline)
{
	int err;

	filch__keep_worker(false);
	err = filch__use_try(u, fd);
	u->deadline = deadline;
	return err;
}

/* Puts the descriptor into the epoll set, which also reports what has happened
 * already. */
static int watch(struct filch__use *u, struct filch__slot *s)
{
	int err = filch__sys_epoll_ctl(u->io->epoll, EPOLL_CTL_ADD, u->fd, WATCHED,
	                               (uint64_t)u->fd);

	assert(!s->watched);
	if (err == -EEXIST) /* left from when the number was another file's */
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
	FILCH__CHECK(filch__use_check(u));
	if (s->closed != u->closed)
		err = -EBADF;
	else if (!s->watched)
		err = watch(u, s);
	filch__unlock(&s->waiters.lock);
	return err;
}

/* Waits without a slot, by poll(), which a helper calls if the caller is a strand. */
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
			op.until = now + SLICE_NS; /* then it checks for a cancellation */
		assert(now < op.until && op.until <= u->deadline);
		r = filch__op_run(u->io, &op, u->deadline, true);
	} while (!r);
	return r < 0 ? (int)r : r & POLLNVAL ? -EBADF : 0;
}

/* Whether an event was reported since the call tried. */
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

	assert(events & (INPUT | OUTPUT)); /* otherwise no report would be news */
	if (!s)
		return wait_by_poll(u, events);
	x.list = &s->waiters;
	x.reason = (struct filch__reason){
		events & EPOLLOUT ? filch__why_output : filch__why_input, u->fd};
	filch__lock(&s->waiters.lock);
	FILCH__CHECK(filch__use_check(u));
	if (s->closed != u->closed)
		err = -EBADF;
	else if (!s->watched)
		err = watch(u, s);
	if (err || is_news(u, s, events)) {
		note(u, s);
		filch__unlock(&s->waiters.lock);
		return err;
	}
	assert(s->watched); /* invariant 2: otherwise nothing would wake the strand */
	err = filch__wait(&x, 1, u->deadline, true);
	if (result)
		return result;
	filch__lock(&s->waiters.lock);
	FILCH__CHECK(filch__use_check(u));
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
	FILCH__CHECK(filch__use_check(u));
	filch__unlock(&s->waiters.lock);
}
