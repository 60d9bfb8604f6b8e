/* SPDX-License-Identifier: MIT */
/*
 * filch bench latency: what it costs those who only compute that others could wait (003
 * section 5.4).
 */
#include <errno.h>
#include <filch/future.h>
#include <filch/io.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/latency/run.h"

#define READERS 64    /* strands that wait for a descriptor */
#define SLEEPERS 1000 /* strands that sleep for good */

FILCH_STATIC_TASK(uint64_t, fib, (unsigned, n))
{
	if (n < 2)
		return n;

	FILCH_SPAWN(a, fib, n - 1);
	uint64_t b = FILCH_CALL(fib, n - 2);

	return FILCH_JOIN(a) + b;
}

static uint64_t fib_fast(unsigned n)
{
	uint64_t a = 0, b = 1;

	for (; n > 0; n--) {
		uint64_t c = a + b;

		a = b;
		b = c;
	}
	return a;
}

static void compute(const struct rounds_run *run, double *out)
{
	const unsigned n = run->quick ? 32 : 39;
	uint64_t began = filch__now_ns();

	rounds_check(FILCH_RUN_ON(run->pool, fib, n) == fib_fast(n));
	out[1] = (double)(filch__now_ns() - began) * 1e-9;
	out[2] = latency_map(run->pool, run->size);
	out[0] = out[1] + out[2];
}

bool latency_compute(const struct rounds_run *run, double *out)
{
	compute(run, out);
	return true;
}

/* ---- with others that wait ---- */

FILCH_STATIC_TASK(ssize_t, read_one, (int, fd))
{
	char c;

	return filch_read(fd, &c, 1);
}

FILCH_STATIC_TASK(int, sleep_long)
{
	return filch_sleep(3600 * FILCH_S);
}

struct waiting {
	int fd[READERS][2];
	struct filch_future *reader[READERS], *sleeper[SLEEPERS];
};

static struct filch_future *started(struct filch_future *f)
{
	if (!f)
		rounds_fail("there is no memory for a future");
	return f;
}

static void waiting_begin(struct waiting *w, struct filch_pool *pool)
{
	for (size_t i = 0; i < READERS; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, w->fd[i]))
			rounds_fail_errno("no socket", errno);
		w->reader[i] = started(FILCH_GO_ON(pool, read_one, w->fd[i][0]));
	}
	for (size_t i = 0; i < SLEEPERS; i++)
		w->sleeper[i] = started(FILCH_GO_ON(pool, sleep_long));
	rounds_pause_ns(20 * FILCH_MS);
}

static void waiting_end(struct waiting *w)
{
	for (size_t i = 0; i < READERS; i++) {
		rounds_check(write(w->fd[i][1], "x", 1) == 1);
		rounds_check(FILCH_AWAIT(read_one, w->reader[i]) == 1);
		filch_future_drop(w->reader[i]);
		close(w->fd[i][0]);
		close(w->fd[i][1]);
	}
	for (size_t i = 0; i < SLEEPERS; i++) {
		filch_future_cancel(w->sleeper[i]);
		rounds_check(FILCH_AWAIT(sleep_long, w->sleeper[i]) == -ECANCELED);
		filch_future_drop(w->sleeper[i]);
	}
}

bool latency_compute_io(const struct rounds_run *run, double *out)
{
	struct waiting *w = rounds_allocate(1, sizeof *w);

	waiting_begin(w, run->pool);
	compute(run, out);
	waiting_end(w);
	free(w);
	return true;
}
