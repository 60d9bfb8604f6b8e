/* SPDX-License-Identifier: MIT */
/*
 * Suites as tables: benchmarks, the implementations of each, and which of them are
 * compared. Each run has a pool of its own, made before and ended after it.
 */
#ifndef FILCH_BENCH_ROUNDS_H
#define FILCH_BENCH_ROUNDS_H

#include <filch/pool.h>

#include "bench/bench.h"

#define ROUNDS_METRICS 4
#define ROUNDS_IMPLS 8
#define ROUNDS_PAIRS 4

/* As `to` of a pair: the one with the best median of those whose bits (1 << index) are set,
 * called best_peer or best_other. */
#define ROUNDS_BEST_PEER(bits) ((size_t)(bits) << 8)
#define ROUNDS_BEST_OTHER(bits) ((size_t)(bits) << 16)

/* What a run is given. */
struct rounds_run {
	struct filch_pool *pool; /* of as many workers as it wants; NULL: it wants none */
	size_t size;             /* how much of it */
	size_t param;            /* the benchmark's own */
	bool quick;
};

struct rounds_bench {
	const char *name;
	size_t size, quick; /* quick: with --quick */
	size_t rounds, quick_rounds;
	size_t param;
	struct rounds_metric {
		const char *name, *unit;
		bool more; /* more is better */
	} metric[ROUNDS_METRICS];
	struct rounds_impl {
		const char *name;
		unsigned workers; /* of its pool; 0: it has none */
		/* Puts a value for each metric into out. False, after a message: this
		 * system does not allow it, and there will be no row. */
		bool (*run)(const struct rounds_run *run, double *out);
	} impl[ROUNDS_IMPLS];
	struct rounds_pair {
		size_t impl, to;
		const char *name; /* "speedup" or "overhead" */
		size_t metric;    /* of this */
	} pair[ROUNDS_PAIRS];
};

/* Runs the benchmarks, round by round. Returns the exit code. */
int rounds_suite(const struct bench_options *o, const char *suite,
                 const struct rounds_bench *b, size_t n);

/* End the command, with a message, when something is wrong. */
_Noreturn void rounds_fail(const char *what);
_Noreturn void rounds_fail_errno(const char *what, int error);
void rounds_check(bool ok); /* that the answer is right */
void *rounds_allocate(size_t n, size_t size);

/* Says why an implementation is left out. Returns false. */
bool rounds_skip(const char *why);

void rounds_pause_ns(uint64_t ns);

/* Puts the median and the 99th percentile of n values, which it sorts, into out. */
void rounds_percentiles(double *value, size_t n, double *out);

/* A line of /proc/self/status, in GiB; 0 where there is none. */
double rounds_status_gib(const char *name);

#endif
