/* SPDX-License-Identifier: MIT */
#include "io/uring.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/op.h"

unsigned filch__ring_entries = 256;

#ifdef FILCH_NO_URING

int filch__uring_probe(char *why, size_t size)
{
	if (why)
		snprintf(why, size, "not built in");
	return -ENOSYS;
}

struct filch__rings *filch__rings_new(int epoll, uint32_t workers)
{
	(void)epoll;
	(void)workers;
	return NULL;
}

void filch__rings_free(struct filch__rings *rs)
{
	(void)rs;
}

void filch__rings_serve(struct filch__rings *rs, uint64_t data)
{
	(void)rs;
	(void)data;
}

ssize_t filch__rings_run(struct filch__rings *rs, const struct filch__op *op,
                         uint64_t deadline, bool cancellable)
{
	(void)rs;
	(void)op;
	(void)deadline;
	(void)cancellable;
	return -ENOBUFS;
}

#else

#include <liburing.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_DEFINED(at, size) ((void)(at), (void)(size))
#endif

#include "sched/lend.h"
#include "wait/wait.h"

#define REAP_BATCH 64
#define TRIES 16 /* at a submission, before the operation is done in another way */

struct ring {
	/* The submission side; `made` is written under both locks. */
	alignas(FILCH_LINE) struct filch__lock submit;
	bool made, failed;
	/* The completion side. */
	alignas(FILCH_LINE) struct filch__lock reap;
	uint32_t pending; /* operations that the kernel has */
	struct io_uring uring;
};

struct filch__rings {
	int epoll;
	uint32_t n;
	struct ring ring[];
};

/* An operation that the kernel has, in the frame of the strand that waits for it. The
 * fields are under the list's lock. */
struct pending {
	struct filch__waiters list;
	bool done;
	int result;
};

/* ---- life cycle ---- */

static int probe_ops(struct io_uring *u)
{
	static const int ops[] = {
		IORING_OP_READ,   IORING_OP_READV,  IORING_OP_WRITE,
		IORING_OP_WRITEV, IORING_OP_OPENAT, IORING_OP_STATX,
		IORING_OP_FSYNC,  IORING_OP_CLOSE,  IORING_OP_ASYNC_CANCEL};
	const unsigned need = IORING_FEAT_NODROP | IORING_FEAT_SUBMIT_STABLE |
	                      IORING_FEAT_RW_CUR_POS;
	struct io_uring_probe *p = io_uring_get_probe_ring(u);
	int err = p && (u->features & need) == need ? 0 : -EOPNOTSUPP;

	for (size_t i = 0; !err && i < sizeof ops / sizeof *ops; i++)
		if (!io_uring_opcode_supported(p, ops[i]))
			err = -EOPNOTSUPP;
	io_uring_free_probe(p);
	return err;
}

int filch__uring_probe(char *why, size_t size)
{
	struct io_uring u;
	int err = io_uring_queue_init(4, &u, 0);

	if (!err) {
		err = probe_ops(&u);
		io_uring_queue_exit(&u);
	}
	if (err && why)
		snprintf(why, size, "%s (%s)", strerrorname_np(-err),
		         err == -EOPNOTSUPP ? "the kernel lacks some of its operations"
		                            : strerror(-err));
	return err;
}

struct filch__rings *filch__rings_new(int epoll, uint32_t workers)
{
	size_t size = sizeof(struct filch__rings) + workers * sizeof(struct ring);
	struct filch__rings *rs = aligned_alloc(FILCH_LINE, size);

	if (!rs)
		return NULL;
	memset(rs, 0, size);
	rs->epoll = epoll;
	rs->n = workers;
	return rs;
}

void filch__rings_free(struct filch__rings *rs)
{
	for (uint32_t i = 0; i < rs->n; i++) {
		assert(!rs->ring[i].pending);
		if (rs->ring[i].made)
			io_uring_queue_exit(&rs->ring[i].uring);
	}
	free(rs);
}

/* Makes a worker's ring at its first use. Returns false if the system refuses; it is not
 * asked again, since there are helpers. Caller: holds the submission lock. */
static bool make(struct filch__rings *rs, uint32_t at)
{
	struct ring *r = &rs->ring[at];

	assert(!r->made || !r->failed);
	if (r->made || r->failed)
		return r->made;
	filch__lock(&r->reap);
	r->made = !io_uring_queue_init(filch__ring_entries, &r->uring, 0);
	if (r->made && filch__sys_epoll_ctl(rs->epoll, EPOLL_CTL_ADD, r->uring.ring_fd,
	                                    EPOLLIN, FILCH__RING_EVENT | at)) {
		io_uring_queue_exit(&r->uring);
		r->made = false;
	}
	r->failed = !r->made;
	filch__unlock(&r->reap);
	return r->made;
}

/* ---- completions ---- */

/* This is the last use of `p`. The caller still wakes the strand if it was claimed. */
static bool complete(struct pending *p, int result, struct filch__wakeup *wakeup)
{
	bool claimed;

	if (!p) /* a cancellation, or an entry that was taken back */
		return false;
	filch__lock(&p->list.lock);
	assert(!p->done); /* the kernel completes an operation once */
	p->done = true;
	p->result = result;
	claimed = filch__claim_first(&p->list, wakeup);
	filch__unlock(&p->list.lock);
	return claimed;
}

/* Takes completions until there are none left. */
static void reap(struct ring *r)
{
	struct io_uring_cqe *c[REAP_BATCH];
	struct filch__wakeup batch[REAP_BATCH];
	unsigned n, claimed;

	do {
		claimed = 0;
		filch__lock(&r->reap);
		assert(r->made);
		n = io_uring_peek_batch_cqe(&r->uring, c, REAP_BATCH);
		for (unsigned i = 0; i < n; i++) {
			assert(r->pending || !io_uring_cqe_get_data(c[i]));
			r->pending -= io_uring_cqe_get_data(c[i]) != NULL;
			claimed += complete(io_uring_cqe_get_data(c[i]), c[i]->res,
			                    &batch[claimed]);
		}
		io_uring_cq_advance(&r->uring, n);
		filch__unlock(&r->reap);
		for (unsigned i = 0; i < claimed; i++)
			filch__wakeup(&batch[i]);
	} while (n == REAP_BATCH);
}

void filch__rings_serve(struct filch__rings *rs, uint64_t data)
{
	assert(data & FILCH__RING_EVENT && (data & ~FILCH__RING_EVENT) < rs->n);
	reap(&rs->ring[data & ~FILCH__RING_EVENT]);
}

/* ---- submissions ---- */

static void prepare(struct io_uring_sqe *s, const struct filch__op *op)
{
	uint64_t offset = (uint64_t)op->offset;

	switch (op->kind) {
	case FILCH__OP_READ:
		io_uring_prep_readv(s, op->fd, op->v, (unsigned)op->n, offset);
		break;
	case FILCH__OP_WRITE:
		io_uring_prep_writev(s, op->fd, op->v, (unsigned)op->n, offset);
		break;
	case FILCH__OP_OPEN:
		io_uring_prep_openat(s, op->fd, op->path, op->flags, op->mode);
		break;
	case FILCH__OP_STATX:
		io_uring_prep_statx(s, op->fd, op->path, op->flags, op->mode, op->statx);
		break;
	case FILCH__OP_FSYNC:
		io_uring_prep_fsync(s, op->fd, 0);
		break;
	case FILCH__OP_CLOSE:
		io_uring_prep_close(s, op->fd);
		break;
	default:
		io_uring_prep_nop(s);
	}
}

/* Gives the kernel all entries of the queue. A full completion queue, or a lack of
 * memory, may keep the kernel from taking them for a while. Caller: holds the submission
 * lock. */
static int push(struct ring *r)
{
	for (int i = 0; i < TRIES && io_uring_sq_ready(&r->uring); i++)
		if (io_uring_submit(&r->uring) < 0)
			reap(r);
	return io_uring_sq_ready(&r->uring) ? -ENOBUFS : 0;
}

static struct io_uring_sqe *next_entry(struct ring *r)
{
	struct io_uring_sqe *s = io_uring_get_sqe(&r->uring);

	if (!s && !push(r))
		s = io_uring_get_sqe(&r->uring);
	return s;
}

/* Counts before the kernel has the operation, so that the lock also carries the operation
 * to the thread that reaps it. UINT32_MAX subtracts one. */
static void count(struct ring *r, uint32_t n)
{
	filch__lock(&r->reap);
	assert(n == 1 || r->pending);
	r->pending += n;
	filch__unlock(&r->reap);
}

/* Submits an operation. If the kernel does not take it, a nop is left in its place. */
static int submit(struct ring *r, const struct filch__op *op, struct pending *p)
{
	struct io_uring_sqe *s = next_entry(r);
	int err;

	if (!s)
		return -ENOBUFS;
	prepare(s, op);
	io_uring_sqe_set_data(s, p);
	count(r, 1);
	err = push(r);
	if (err) {
		io_uring_prep_nop(s);
		io_uring_sqe_set_data(s, NULL);
		count(r, UINT32_MAX);
	}
	return err;
}

static void cancel(struct ring *r, struct pending *p)
{
	struct io_uring_sqe *s;

	filch__lock(&r->submit);
	assert(r->made);
	s = next_entry(r);
	if (s) {
		io_uring_prep_cancel(s, p, 0);
		io_uring_sqe_set_data(s, NULL);
		push(r);
	}
	filch__unlock(&r->submit);
}

static int await(struct pending *p, uint64_t deadline, bool cancellable)
{
	struct filch__waiter x = {.list = &p->list, .reason = FILCH__BECAUSE(file)};

	filch__lock(&p->list.lock);
	if (!p->done)
		return filch__wait(&x, 1, deadline, cancellable);
	filch__unlock(&p->list.lock);
	return 0;
}

static int submit_here(struct filch__rings *rs, const struct filch__op *op,
                       struct pending *p, struct ring **at)
{
	struct filch__worker *w = filch__worker_self();
	struct ring *r = &rs->ring[w->index];
	int err = -ENOBUFS;

	assert(w->index < rs->n);
	if (filch__loan_may_end(filch__seat_of(w)))
		return err; /* the kernel breaks off what an ended thread has begun */
	filch__lock(&r->submit);
	if (make(rs, w->index))
		err = submit(r, op, p);
	filch__unlock(&r->submit);
	*at = r;
	return err;
}

/* Tells Valgrind, which does not see it, that the kernel has written the result. */
static void written(const struct filch__op *op, int result)
{
	size_t left = result > 0 ? (size_t)result : 0;

	if (op->kind == FILCH__OP_STATX && result == 0)
		VALGRIND_MAKE_MEM_DEFINED(op->statx, sizeof *op->statx);
	for (int i = 0; op->kind == FILCH__OP_READ && i < op->n && left; i++) {
		size_t n = op->v[i].iov_len < left ? op->v[i].iov_len : left;

		VALGRIND_MAKE_MEM_DEFINED(op->v[i].iov_base, n);
		left -= n;
	}
}

static ssize_t run(struct filch__rings *rs, const struct filch__op *op, uint64_t deadline,
                   bool cancellable)
{
	struct pending p = {.done = false};
	struct ring *r;
	int err = submit_here(rs, op, &p, &r);

	if (err)
		return err;
	reap(r); /* many operations complete at once */
	err = await(&p, deadline, cancellable);
	assert(err < 0 || p.done);
	if (err >= 0) {
		written(op, p.result);
		return p.result;
	}
	cancel(r, &p);
	reap(r);
	await(&p, FILCH_NEVER, false);
	assert(p.done); /* invariant 6 */
	written(op, p.result);
	return p.result == -ECANCELED || p.result == -EINTR ? err : p.result;
}

ssize_t filch__rings_run(struct filch__rings *rs, const struct filch__op *op,
                         uint64_t deadline, bool cancellable)
{
	ssize_t r;

	assert(op->kind < FILCH__OP_GETDENTS);
	do {
		r = run(rs, op, deadline, cancellable);
	} while (r == -EINTR);
	return r == -EAGAIN ? -ENOBUFS : r;
}

#endif
