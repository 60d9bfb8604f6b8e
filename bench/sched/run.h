/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks of the suite sched share.
 */
#ifndef FILCH_BENCH_SCHED_RUN_H
#define FILCH_BENCH_SCHED_RUN_H

#include <filch/pool.h>
#include <stdbool.h>
#include <stddef.h>

#define SCHED_METRICS 3  /* that a run gives, at most */
#define SCHED_PAUSE_MS 5 /* between two calls, so that everybody sleeps */

/* What a run is given. */
struct sched_run {
	struct filch_pool
		*pool; /* of as many workers as it wants; NULL if it wants none */
	size_t size;   /* how much of it */
};

/* Strands, in strand.c: nanoseconds there and back; nanoseconds of one that is created,
 * stopped once, woken and ended; GiB of many that wait; per cent of a processor that an
 * idle pool takes; microseconds from submit to start, median and 99th percentile;
 * nanoseconds of a FILCH_RUN of nothing from outside. */
void sched_switch(const struct sched_run *run, double *out);
void sched_switch_fiber(const struct sched_run *run, double *out);
void sched_strand(const struct sched_run *run, double *out);
void sched_strand_together(const struct sched_run *run, double *out);
void sched_many(const struct sched_run *run, double *out);
void sched_idle(const struct sched_run *run, double *out);
void sched_wake(const struct sched_run *run, double *out);
void sched_wake_go(const struct sched_run *run, double *out);
void sched_run_empty(const struct sched_run *run, double *out);

/* Tasks, in help.c: microseconds from a spawn to its start on a worker that has had nothing
 * to do for so long, median and 99th percentile. The spawner computes in one long leaf, or joins
 * now and then. */
void sched_help0(const struct sched_run *run, double *out);
void sched_help1ms(const struct sched_run *run, double *out);
void sched_help10ms(const struct sched_run *run, double *out);
void sched_help0_joins(const struct sched_run *run, double *out);
void sched_help1ms_joins(const struct sched_run *run, double *out);
void sched_help10ms_joins(const struct sched_run *run, double *out);

/* Threads that do the same, in thread.c. */
void sched_switch_thread(const struct sched_run *run, double *out);
void sched_strand_thread(const struct sched_run *run, double *out);
void sched_wake_thread(const struct sched_run *run, double *out);

/* In suite.c: end the command, with a message, when something is wrong. */
_Noreturn void sched_fail(const char *bench, const char *what);
void sched_check(bool ok, const char *bench);
void *sched_allocate(size_t n, size_t size);

void sched_pause_ms(size_t ms);

/* Puts the median and the 99th percentile of n values, which it sorts, into out. */
void sched_percentiles(double *value, size_t n, double *out);

#endif
