/* SPDX-License-Identifier: MIT */
/* The cells of the suite envelope, and how it prints them. */
#ifndef FILCH_BENCH_ENVELOPE_RUN_H
#define FILCH_BENCH_ENVELOPE_RUN_H

#include "bench/bench.h"
#include "bench/envelope/turn.h"

#define ENVELOPE_SUITE "envelope"
#define ENVELOPE_WORKS 11
#define ENVELOPE_GAPS 4
#define ENVELOPE_CELLS (ENVELOPE_KINDS * ENVELOPE_GAPS * ENVELOPE_WORKS)

struct envelope_span {
	const char *name;
	double ns;
};

extern const char *const envelope_kinds[ENVELOPE_KINDS];
extern const struct envelope_span envelope_works[ENVELOPE_WORKS],
	envelope_gaps[ENVELOPE_GAPS];

/* A number of the map. */
struct envelope_shade {
	double overhead; /* 0: not measured */
	char best;       /* a letter for what it was compared with */
};

/* Prints a map: work across, kind and gap down. With colours on a terminal. */
void envelope_map(const char *title, const struct envelope_shade shade[ENVELOPE_CELLS]);

/* The command as a back end, which the suite starts: serial or filch. Returns the exit code. */
int envelope_turns(int argc, char **argv);

#endif
