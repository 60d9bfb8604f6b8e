/* SPDX-License-Identifier: MIT */
/*
 * Programs to be simulated: tasks of Filch whose leaves do nothing but sim_work().
 */
#ifndef FILCH_SIM_PROGRAM_H
#define FILCH_SIM_PROGRAM_H

#include <filch.h>
#include <stdint.h>

#include "sim/work.h"

/* What a run of a program is given. */
struct sim_arguments {
	uint64_t size, grain, seed;
};

struct sim_program {
	const char *name;
	const char *what;               /* what it does, for --list */
	const char *size_is, *grain_is; /* what its size and its grain mean */
	uint64_t size, size_most;       /* if none is given; at most */
	uint64_t grain, grain_most;     /* the same of the grain */
	/* Runs it once in the pool, on the thread that is called main. What lies between
	 * sim_begin() and its return is reported. */
	void (*run)(struct filch_pool *pool, const struct sim_arguments *a);
};

/* Every program: X(name). */
#define SIM_PROGRAMS(X) \
	X(fib) X(uts) X(loop) X(phases) X(phases_task) X(map) X(server) X(burst)

#define SIM_PROGRAM(name) extern const struct sim_program sim_##name;
SIM_PROGRAMS(SIM_PROGRAM)
#undef SIM_PROGRAM

/* Returns a number that depends on every bit of x, and looks random. */
static inline uint64_t sim_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

#endif
