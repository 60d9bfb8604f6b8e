/* SPDX-License-Identifier: MIT */
/*
 * filch bench latency: map and reduce over remote values (003 section 5.2): each is
 * waited for, then mapped to a Fibonacci number; the results are summed up in a tree.
 */
#include <filch/task.h>
#include <filch/time.h>

#include "base/clock.h"
#include "bench/latency/run.h"

#define VALUE 30       /* what each of the remote values is */
#define SERIAL_BASE 25 /* Fibonacci numbers up to this one are not divided further */
#define MODULUS UINT64_C(1000000000000)
#define RATIO_MS 50 /* the latency where waits and computing are mixed */

struct map {
	void (*wait)(uint64_t ns); /* NULL: not at all */
	uint64_t latency;          /* ns */
	size_t waits, computes;    /* of a hundred values */
};

static void wait_strand(uint64_t ns)
{
	if (filch_sleep(ns))
		rounds_fail("a sleep was cancelled");
}

static uint64_t fib_serial(unsigned n)
{
	return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2);
}

FILCH_STATIC_TASK(uint64_t, fib_value, (unsigned, n))
{
	if (n <= SERIAL_BASE)
		return fib_serial(n);

	FILCH_SPAWN(a, fib_value, n - 1);
	uint64_t b = FILCH_CALL(fib_value, n - 2);

	return FILCH_JOIN(a) + b;
}

/* Those that are waited for come first in each hundred, those computed last: so all of
 * them are both where that is said. */
static uint64_t map_one(const struct map *m, size_t i)
{
	if (m->wait && i % 100 < m->waits)
		m->wait(m->latency);
	return i % 100 >= 100 - m->computes ? FILCH_CALL(fib_value, VALUE) : 0;
}

FILCH_STATIC_TASK(uint64_t, map_reduce, (const struct map *, m), (size_t, lo),
                  (size_t, hi))
{
	if (hi - lo == 1)
		return map_one(m, lo);

	size_t mid = lo + (hi - lo) / 2;

	FILCH_SPAWN(a, map_reduce, m, lo, mid);
	uint64_t b = FILCH_CALL(map_reduce, m, mid, hi);

	return (FILCH_JOIN(a) + b) % MODULUS;
}

/* Seconds. */
static double measure(struct filch_pool *pool, const struct map *m, size_t n)
{
	uint64_t began = filch__now_ns(), ns, sum, expected = 0;

	sum = FILCH_RUN_ON(pool, map_reduce, m, 0, n);
	ns = filch__now_ns() - began;
	for (size_t i = 0; i < n; i++)
		expected += i % 100 >= 100 - m->computes ? 832040 : 0;
	rounds_check(sum == expected % MODULUS);
	return (double)ns * 1e-9;
}

static bool give(double seconds, size_t n, double *out)
{
	out[0] = seconds;
	out[1] = (double)n;
	out[2] = seconds / (double)n * 1e6;
	return true;
}

double latency_map(struct filch_pool *pool, size_t n)
{
	return measure(pool, &(struct map){.computes = 100}, n);
}

/* A worker that blocks takes the latency of every value: so few that it lasts about two
 * seconds. */
static size_t blocking_size(const struct rounds_run *run, size_t ms)
{
	size_t most = run->pool ? filch_pool_workers(run->pool) : 1;
	size_t n = most * (run->quick ? 200 : 2000) / (ms + 2);

	if (n < 4)
		n = 4;
	return n < run->size ? n : run->size;
}

bool latency_mapreduce_filch(const struct rounds_run *run, double *out)
{
	struct map m = {wait_strand, run->param * FILCH_MS, 100, 100};

	return give(measure(run->pool, &m, run->size), run->size, out);
}

bool latency_mapreduce_blocking(const struct rounds_run *run, double *out)
{
	struct map m = {rounds_pause_ns, run->param * FILCH_MS, 100, 100};
	size_t n = blocking_size(run, run->param);

	return give(measure(run->pool, &m, n), n, out);
}

bool latency_mapreduce_ideal(const struct rounds_run *run, double *out)
{
	double s = latency_map(run->pool, run->size);

	return give(s + (double)run->param * 1e-3, run->size, out);
}

static struct map ratio(const struct rounds_run *run, void (*wait)(uint64_t))
{
	return (struct map){wait, RATIO_MS * FILCH_MS, run->param, 100 - run->param};
}

bool latency_ratio_filch(const struct rounds_run *run, double *out)
{
	struct map m = ratio(run, wait_strand);

	return give(measure(run->pool, &m, run->size), run->size, out);
}

bool latency_ratio_blocking(const struct rounds_run *run, double *out)
{
	struct map m = ratio(run, rounds_pause_ns);
	size_t n = run->quick ? 20 : 100;

	/* A part of a hundred has another mixture: but of one kind alone. */
	if (run->param % 100)
		n = 100;
	return give(measure(run->pool, &m, n), n, out);
}

bool latency_ratio_ideal(const struct rounds_run *run, double *out)
{
	struct map m = ratio(run, NULL);
	double s = measure(run->pool, &m, run->size);

	return give(s + (run->param ? RATIO_MS * 1e-3 : 0), run->size, out);
}
