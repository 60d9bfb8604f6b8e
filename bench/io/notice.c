/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: that completions do not wait for a busy worker, and do not keep one
 * from its work.
 */
#include <errno.h>
#include <filch/future.h>
#include <filch/io.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bench/io/run.h"

/* A thread outside, which sends the time, again and again. */
struct sender {
	int fd[2];      /* to read from, to write to */
	uint64_t every; /* ns */
	size_t n;       /* 0: until it is stopped */
	_Atomic(bool) stop;
	pthread_t thread;
};

static void pause_until(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / FILCH_S), (long)(ns % FILCH_S)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void *sender_main(void *arg)
{
	struct sender *s = arg;
	uint64_t next = filch__now_ns();

	prctl(PR_SET_TIMERSLACK, 1);
	for (size_t i = 0; (!s->n || i < s->n) && !load_rlx(&s->stop); i++) { /* a hint */
		uint64_t now;

		pause_until(next += s->every);
		now = filch__now_ns();
		if (write(s->fd[1], &now, sizeof now) != sizeof now)
			break;
	}
	shutdown(s->fd[1], SHUT_WR);
	return NULL;
}

static void sender_start(struct sender *s, uint64_t every, size_t n)
{
	*s = (struct sender){.every = every, .n = n};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s->fd))
		rounds_fail_errno("no socket", errno);
	s->thread = io_thread(sender_main, s);
}

static void sender_end(struct sender *s)
{
	store_rlx(&s->stop, true); /* seen soon enough */
	pthread_join(s->thread, NULL);
	close(s->fd[0]);
	close(s->fd[1]);
}

/* ---- notice: how soon ---- */

struct notice {
	struct sender sender;
	double *us;
	_Atomic(bool) stop;
	enum io_busy busy;
};

FILCH_STATIC_TASK(size_t, receiver, (struct notice *, p))
{
	uint64_t sent;
	size_t n = 0;

	while (filch_read(p->sender.fd[0], &sent, sizeof sent) == sizeof sent)
		p->us[n++] = (double)(filch__now_ns() - sent) * 1e-3;
	store_rlx(&p->stop, true); /* seen soon enough */
	return n;
}

static uint64_t work(size_t rounds)
{
	uint64_t v = rounds;

	for (size_t i = 0; i < rounds; i++) {
		v ^= v << 13;
		v ^= v >> 7;
		v ^= v << 17;
		BENCH_BARRIER();
	}
	return v;
}

FILCH_STATIC_TASK(uint64_t, short_task, (size_t, rounds))
{
	return work(rounds);
}

/* Many tasks on strands of their own, some microseconds each. */
static void many_short(void)
{
	struct filch_future *f[16];

	for (size_t i = 0; i < 16; i++)
		f[i] = FILCH_GO(short_task, 2000);
	for (size_t i = 0; i < 16; i++) {
		(void)FILCH_AWAIT(short_task, f[i]);
		filch_future_drop(f[i]);
	}
}

FILCH_STATIC_TASK(size_t, be_busy, (struct notice *, p))
{
	struct filch_future *f = FILCH_GO(receiver, p);
	size_t n;

	/* So that the receiver waits, or has been taken by the other worker. */
	filch_sleep(5 * FILCH_MS);
	while (!load_rlx(&p->stop)) /* a hint */
		if (p->busy == IO_LONG)
			(void)work(1000);
		else
			many_short();
	n = FILCH_AWAIT(receiver, f);
	filch_future_drop(f);
	return n;
}

bool io_notice_filch(const struct rounds_run *run, double *out)
{
	struct notice p = {.us = rounds_allocate(run->size, sizeof *p.us),
	                   .busy = (enum io_busy)run->param};

	sender_start(&p.sender, 2 * FILCH_MS, run->size);
	rounds_check(FILCH_RUN_ON(run->pool, be_busy, &p) == run->size);
	sender_end(&p.sender);
	rounds_percentiles(p.us, run->size, out);
	free(p.us);
	return true;
}

static void *busy_main(void *arg)
{
	struct notice *p = arg;

	while (!load_rlx(&p->stop)) /* a hint */
		(void)work(1000);
	return NULL;
}

bool io_notice_thread(const struct rounds_run *run, double *out)
{
	struct notice p = {.us = rounds_allocate(run->size, sizeof *p.us)};
	pthread_t busy = io_thread(busy_main, &p);
	uint64_t sent;
	size_t n = 0;

	sender_start(&p.sender, 2 * FILCH_MS, run->size);
	while (read(p.sender.fd[0], &sent, sizeof sent) == sizeof sent)
		p.us[n++] = (double)(filch__now_ns() - sent) * 1e-3;
	store_rlx(&p.stop, true); /* seen soon enough */
	pthread_join(busy, NULL);
	sender_end(&p.sender);
	rounds_check(n == run->size);
	rounds_percentiles(p.us, n, out);
	free(p.us);
	return true;
}

/* ---- stream: how much it takes from who computes ---- */

#define STREAM_NS (100 * FILCH_US)

FILCH_STATIC_TASK(size_t, take_stream, (int, fd))
{
	uint64_t v;
	size_t n = 0;

	while (filch_read(fd, &v, sizeof v) == sizeof v)
		n++;
	return n;
}

/* Milliseconds. */
FILCH_STATIC_TASK(double, compute_alone, (size_t, rounds))
{
	uint64_t began = filch__now_ns();

	(void)work(rounds);
	return (double)(filch__now_ns() - began) * 1e-6;
}

bool io_stream_quiet(const struct rounds_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, compute_alone, run->size);
	return true;
}

bool io_stream_filch(const struct rounds_run *run, double *out)
{
	struct filch_future *f;
	struct sender s;
	uint64_t began;

	sender_start(&s, STREAM_NS, 0);
	f = FILCH_GO_ON(run->pool, take_stream, s.fd[0]);
	began = filch__now_ns();
	out[0] = FILCH_RUN_ON(run->pool, compute_alone, run->size);
	store_rlx(&s.stop, true); /* seen soon enough */
	out[1] = (double)FILCH_AWAIT(take_stream, f);
	out[1] /= (double)(filch__now_ns() - began) * 1e-9;
	filch_future_drop(f);
	sender_end(&s);
	return true;
}

static void *stream_main(void *arg)
{
	struct notice *p = arg;
	uint64_t v;

	while (read(p->sender.fd[0], &v, sizeof v) == sizeof v)
		p->us[0]++;
	return NULL;
}

bool io_stream_thread(const struct rounds_run *run, double *out)
{
	double n = 0;
	struct notice p = {.us = &n};
	pthread_t t;
	uint64_t began;

	sender_start(&p.sender, STREAM_NS, 0);
	t = io_thread(stream_main, &p);
	began = filch__now_ns();
	out[0] = compute_alone(run->size);
	store_rlx(&p.sender.stop, true); /* seen soon enough */
	pthread_join(t, NULL);
	out[1] = n / ((double)(filch__now_ns() - began) * 1e-9);
	sender_end(&p.sender);
	return true;
}
