/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: strands that sleep; beside them a loop by hand: epoll, and a binary
 * heap of timers with callbacks.
 */
#include <errno.h>
#include <filch/future.h>
#include <filch/sync.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bench/io/run.h"

#define WINDOW FILCH_MS /* all are to wake within this */

/* The i-th of n, in no order. */
static uint64_t deadline_of(uint64_t first, size_t i, size_t n)
{
	return first + WINDOW * ((i * 7919) % n) / n;
}

/* ---- many strands ---- */

struct sleepers {
	size_t n;
	_Atomic(size_t) begun, woken;
	_Atomic(uint64_t) sum;
	uint64_t last; /* when the last one ran; by that one */
	struct filch_event all;
};

FILCH_STATIC_TASK(int, sleeper, (struct sleepers *, s), (size_t, i), (uint64_t, deadline))
{
	add_rlx(&s->begun, 1); /* a count */
	if (filch_sleep_until(deadline))
		return -ECANCELED;
	add_rlx(&s->sum, i); /* a count */
	if (add_acq_rel(&s->woken, 1) + 1 == s->n) {
		s->last = filch__now_ns();
		filch_event_set(&s->all);
	}
	return 0;
}

static void start(struct sleepers *s, struct filch_future **f, uint64_t first)
{
	for (size_t i = 0; i < s->n; i++) {
		f[i] = FILCH_GO(sleeper, s, i, deadline_of(first, i, s->n));
		if (!f[i])
			rounds_fail("there is no memory for a future");
	}
	while (load_rlx(&s->begun) < s->n) /* a hint */
		filch_yield();
}

static void finish(struct sleepers *s, struct filch_future **f)
{
	filch_event_wait(&s->all); /* and nothing else, which would take time from them */
	for (size_t i = 0; i < s->n; i++) {
		rounds_check(!FILCH_AWAIT(sleeper, f[i]));
		filch_future_drop(f[i]);
	}
	rounds_check(load_rlx(&s->sum) == s->n * (s->n - 1) / 2); /* all are done */
}

/* One try: false if they were not all asleep in time. */
FILCH_STATIC_TASK(bool, sleep_all, (const struct rounds_run *, run), (uint64_t, patience),
                  (double *, out))
{
	struct filch_future **f = rounds_allocate(run->size, sizeof *f);
	struct sleepers s = {.n = run->size};
	uint64_t first = filch_after(patience);
	bool in_time;

	start(&s, f, first);
	filch_sleep(10 * FILCH_MS); /* so that the last to begin sleep */
	out[1] = rounds_status_gib("VmRSS:");
	in_time = filch__now_ns() < first;
	finish(&s, f);
	out[0] = (double)(s.last - first) * 1e-6;
	free(f);
	return in_time;
}

bool io_sleepers_filch(const struct rounds_run *run, double *out)
{
	double before = rounds_status_gib("VmRSS:");
	uint64_t patience = FILCH_S;

	while (!FILCH_RUN_ON(run->pool, sleep_all, run, patience, out))
		patience *= 2;
	out[2] = out[1] - before;
	return true;
}

/* ---- by hand ---- */

struct timer {
	void (*call)(struct timer *t);
	struct sleepers *s;
	size_t i;
};

/* The time is beside the pointer, so that comparing does not follow it. */
struct heap {
	size_t n;
	struct entry {
		uint64_t deadline;
		struct timer *timer;
	} * entry;
};

static void heap_push(struct heap *h, struct entry e)
{
	size_t i = h->n++;

	for (; i > 0 && h->entry[(i - 1) / 2].deadline > e.deadline; i = (i - 1) / 2)
		h->entry[i] = h->entry[(i - 1) / 2];
	h->entry[i] = e;
}

static struct timer *heap_pop(struct heap *h)
{
	struct timer *first = h->entry[0].timer;
	struct entry e = h->entry[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		child += child + 1 < h->n &&
		         h->entry[child + 1].deadline < h->entry[child].deadline;
		if (h->entry[child].deadline >= e.deadline)
			break;
		h->entry[i] = h->entry[child];
		i = child;
	}
	h->entry[i] = e;
	return first;
}

static void ring(struct timer *t)
{
	struct sleepers *s = t->s;

	add_rlx(&s->sum, t->i);                /* one thread only */
	if (add_rlx(&s->woken, 1) + 1 == s->n) /* one thread only */
		s->last = filch__now_ns();
	free(t);
}

static void wait_for_first(int epoll, const struct heap *h)
{
	uint64_t now = filch__now_ns(), until = h->entry[0].deadline;
	uint64_t ns = until > now ? until - now : 0;
	struct timespec t = {(time_t)(ns / FILCH_S), (long)(ns % FILCH_S)};
	struct epoll_event e;

	if (epoll_pwait2(epoll, &e, 1, &t, NULL) < 0 && errno == ENOSYS)
		(void)epoll_wait(epoll, &e, 1, (int)((ns + FILCH_MS - 1) / FILCH_MS));
}

static void loop(int epoll, struct heap *h)
{
	while (h->n) {
		uint64_t now;

		wait_for_first(epoll, h);
		now = filch__now_ns();
		while (h->n && h->entry[0].deadline <= now) {
			struct timer *t = heap_pop(h);

			t->call(t);
		}
	}
}

bool io_sleepers_epoll(const struct rounds_run *run, double *out)
{
	double before = rounds_status_gib("VmRSS:");
	struct sleepers s = {.n = run->size};
	struct heap h = {.entry = rounds_allocate(run->size, sizeof *h.entry)};
	uint64_t first = filch_after(FILCH_S / 2);
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	for (size_t i = 0; i < s.n; i++) {
		struct timer *t = rounds_allocate(1, sizeof *t);

		*t = (struct timer){ring, &s, i};
		heap_push(&h, (struct entry){deadline_of(first, i, s.n), t});
	}
	out[1] = rounds_status_gib("VmRSS:");
	out[2] = out[1] - before;
	rounds_check(filch__now_ns() < first);
	loop(epoll, &h);
	out[0] = (double)(s.last - first) * 1e-6;
	rounds_check(load_rlx(&s.sum) == s.n * (s.n - 1) / 2); /* one thread only */
	close(epoll);
	free(h.entry);
	return true;
}

/* ---- timers: set, and taken back ---- */

FILCH_STATIC_TASK(int, sleep_long)
{
	return filch_sleep(3600 * FILCH_S);
}

FILCH_STATIC_TASK(double, set_and_unset, (size_t, n))
{
	struct filch_future *f = FILCH_GO(sleep_long);
	uint64_t began, ns, far = filch_after(60 * FILCH_S);

	if (!f)
		rounds_fail("there is no memory for a future");
	filch_sleep(FILCH_MS);
	began = filch__now_ns();
	for (size_t i = 0; i < n; i++) {
		filch_future_deadline(f, far + i * FILCH_MS % FILCH_S);
		filch_future_deadline(f, FILCH_NEVER);
	}
	ns = filch__now_ns() - began;
	rounds_check(!filch_future_done(f));
	filch_future_cancel(f);
	rounds_check(FILCH_AWAIT(sleep_long, f) == -ECANCELED);
	filch_future_drop(f);
	return (double)ns / (double)n;
}

bool io_timers(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, set_and_unset, run->size);
	return true;
}

/* ---- late: how much too long a sleep lasts ---- */

static void measure_late(size_t n, void (*sleep_ns)(uint64_t), double *out)
{
	double *us = rounds_allocate(n, sizeof *us);

	for (size_t i = 0; i < n; i++) {
		uint64_t until = filch_after(FILCH_MS), now;

		sleep_ns(FILCH_MS);
		now = filch__now_ns();
		rounds_check(now >= until);
		us[i] = (double)(now - until) * 1e-3;
	}
	rounds_percentiles(us, n, out);
	free(us);
}

static void strand_sleep(uint64_t ns)
{
	rounds_check(!filch_sleep(ns));
}

FILCH_STATIC_TASK_VOID(late, (size_t, n), (double *, out))
{
	measure_late(n, strand_sleep, out);
}

bool io_late_filch(const struct rounds_run *run, double *out)
{
	FILCH_RUN_ON(run->pool, late, run->size, out);
	return true;
}

bool io_late_thread(const struct rounds_run *run, double *out)
{
	measure_late(run->size, rounds_pause_ns, out);
	return true;
}
