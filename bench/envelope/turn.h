/* SPDX-License-Identifier: MIT */
/*
 * What the suite envelope asks of a back end, and what the back end answers. A back end is a
 * process that lives for a round: it reads turns from its standard input, and writes an
 * answer to each to its standard output. Between two turns it is stopped. C and C++.
 */
#ifndef FILCH_BENCH_ENVELOPE_TURN_H
#define FILCH_BENCH_ENVELOPE_TURN_H

#include <stdint.h>

#define ENVELOPE_LEAVES 64 /* parts of equal work */
#define ENVELOPE_REPETITIONS_MOST 1024

enum envelope_kind {
	ENVELOPE_LOOP_OUTSIDE, /* a loop, called from main() */
	ENVELOPE_LOOP,         /* a loop, called in a task */
	ENVELOPE_TREE,         /* a tree of tasks, begun in a task */
	ENVELOPE_TREE_OUTSIDE, /* a tree of tasks, begun from main() */
	ENVELOPE_KINDS,
};

struct envelope_turn {
	uint64_t kind;
	uint64_t steps;       /* of a leaf */
	uint64_t gap_steps;   /* that the caller does before each repetition */
	uint64_t repetitions; /* at least one */
};

struct envelope_answer {
	uint64_t sum; /* of what all leaves and gaps computed */
	uint64_t ns;  /* of the parallel part: the median over the repetitions */
};

/* So many steps of a nanosecond or two, each of which needs the one before. */
static inline uint64_t envelope_steps(uint64_t x, uint64_t steps)
{
	for (uint64_t i = 0; i < steps; i++)
		x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return x;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Take turns until there are no more. Return the exit code. In back_end.c, for each back
 * end; Filch has the default pool, whose workers are as many as FILCH_WORKERS says. */
int envelope_serve_serial(unsigned workers);
int envelope_serve_filch(unsigned workers);
int envelope_serve_peer(unsigned workers);

#ifdef __cplusplus
}
#endif

#endif
