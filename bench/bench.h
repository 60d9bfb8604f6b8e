/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark suites share: options, rows, medians.
 *
 * A suite runs its implementations interleaved, round by round, and reports medians: of a
 * quantity, and of the ratio of two quantities taken in the same round, because times on
 * a shared machine mean little on their own.
 */
#ifndef FILCH_BENCH_BENCH_H
#define FILCH_BENCH_BENCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue/queue.h"

struct bench_options {
	bool json, quick, list;
	bool has_filter;
	regex_t filter; /* on "bench impl" */
	/* 0 means the suite's default in all that follow. */
	size_t rounds, slice_ms;
	size_t capacity, blocks, block_size;
	size_t thieves; /* queue suite: stealing threads */
	size_t batch;   /* queue suite: entries a steal may take */
	double stolen;  /* queue suite: per cent of entries to steal; < 0: standard set */
	double steal_hz; /* queue suite: steals a second a thief, instead of `stolen` */
	size_t workers;  /* pool suite: threads, each with a queue; others: workers */
	double balance; /* pool suite: balancing factor, per cent; < 0: the standard set */
	const char *topology; /* pool suite: synthetic hwloc topology */
	bool stats;           /* app suite: print the counters of each pool */
	bool scaling;         /* app suite: with 1, 2, 4 ... workers, and nothing else */
};

struct bench_suite {
	const char *name, *text;
	int (*run)(const struct bench_options *); /* exit code */
	const char *help; /* its own --help, with examples; NULL: the general one */
};

extern const struct bench_suite bench_queue_suite, bench_pool_suite, bench_sched_suite,
	bench_app_suite, bench_latency_suite, bench_io_suite, bench_algo_suite,
	bench_gc_suite, bench_json_suite, bench_dupes_suite, bench_serve_suite,
	bench_envelope_suite;

/* The shape of the queues from --capacity (`capacity` unless given), --blocks (8) and
 * --block-size: two of them give the third. False, with a message, if they do not fit. */
bool bench_shape(const struct bench_options *o, const char *suite, size_t capacity,
                 struct filch_queue_options *out);

/* How many implementations bench_wanted() has found to match the filter. */
extern size_t bench_matched;

/* True if this implementation of this benchmark is wanted; with --list, names it and says
 * no. */
bool bench_wanted(const struct bench_options *o, const char *suite, const char *bench,
                  const char *impl);

/* A row that says what was measured. */
void bench_measured(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *metric, double value, const char *unit);

/* A row that compares `impl` with `to`. Metric is "speedup" or "overhead". */
void bench_compared(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *to, const char *metric, double value);

/* Puts the path of filch-bench-NAME, which is beside the command or where `make install`
 * puts it, into `path`. False if it was not built. */
bool bench_peer(const char *name, char *path, size_t size);

/* Says so. */
void bench_peer_missing(const char *name);

/* Becomes the program that writes the report; returns only if it cannot, 1 after a message. */
int bench_report(int argc, char **argv);

/* Ends the last line. */
void bench_finish(const struct bench_options *o);

/* The median; sorts its argument. */
double bench_median(double *v, size_t n);

/* The median over rounds of a[i] / b[i]. */
double bench_median_ratio(const double *a, const double *b, size_t n);

/* Ties the calling thread to the i-th processor it may use (beginning again after the
 * last), so that an owner and its thief never share one by accident. */
void bench_pin(size_t i);

#define BENCH_ROUNDS_MOST 101

/* Keeps the compiler from holding a queue's state in registers between two operations, as
 * other code in between would. */
#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

#endif
