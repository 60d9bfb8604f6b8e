/* SPDX-License-Identifier: MIT */
/*
 * bench/queue/run.h for code that is simulated: turns of an empty loop take virtual time.
 */
#ifndef FILCH_SIM_MAP_BENCH_QUEUE_RUN_H
#define FILCH_SIM_MAP_BENCH_QUEUE_RUN_H

#include "sim/engine.h"

#define spin_turns spin_turns_really
#include_next "bench/queue/run.h"
#undef spin_turns

/* Where a loop lies makes no difference here. */
#undef BENCH_PLACE
#define BENCH_PLACE(offset) ((void)(offset))

/* The benchmarks adapt how many turns they take, so what a turn takes hardly matters. */
#define SIM_TURN_NS 0.3

static inline void spin_turns(uint64_t n)
{
	sim_spend((double)n * SIM_TURN_NS);
	sim_sync();
}

#endif
