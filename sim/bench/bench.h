/* SPDX-License-Identifier: MIT */
/*
 * `filch sim bench`: the benchmarks of bench/queue, bench/pool and bench/sched, as they
 * are, in virtual time.
 */
#ifndef FILCH_SIM_BENCH_H
#define FILCH_SIM_BENCH_H

/* Returns the exit code. */
int sim_bench(int argc, char **argv);

#endif
