/* SPDX-License-Identifier: MIT */
/*
 * What the suite latency measures; the parameter of each is said with it.
 */
#ifndef FILCH_BENCH_LATENCY_RUN_H
#define FILCH_BENCH_LATENCY_RUN_H

#include "bench/rounds.h"

/* In mapreduce.c. Map and reduce over `size` remote values; parameter: the latency, ms.
 * Gives the seconds, the values, the microseconds a value. */
bool latency_mapreduce_filch(const struct rounds_run *run, double *out);
bool latency_mapreduce_blocking(const struct rounds_run *run, double *out);
bool latency_mapreduce_ideal(const struct rounds_run *run, double *out);

/* The same, but so many of a hundred values (the parameter) are only waited for, and the
 * others only computed. */
bool latency_ratio_filch(const struct rounds_run *run, double *out);
bool latency_ratio_blocking(const struct rounds_run *run, double *out);
bool latency_ratio_ideal(const struct rounds_run *run, double *out);

/* In compute.c. Nothing but computing: in a pool that never waited for anything, and in
 * one with timers set and strands that wait for descriptors. Gives the seconds of all, of
 * Fibonacci numbers without cutoff, and of the map without latency. */
bool latency_compute(const struct rounds_run *run, double *out);
bool latency_compute_io(const struct rounds_run *run, double *out);

/* In mapreduce.c: seconds that the map of n values takes when nothing is waited for. */
double latency_map(struct filch_pool *pool, size_t n);

#endif
