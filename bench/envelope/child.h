/* SPDX-License-Identifier: MIT */
/* A back end as a process that is stopped between its turns, so that what spins in it takes
 * nothing from the others. */
#ifndef FILCH_BENCH_ENVELOPE_CHILD_H
#define FILCH_BENCH_ENVELOPE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "bench/envelope/turn.h"

struct envelope_child {
	pid_t process;
	int socket;      /* its standard input and output */
	clockid_t clock; /* the processor time that it has taken */
};

/* Starts a program, with these variables of its environment: pairs of name and value, then
 * NULL. It does not outlive this process. Returns false if the system refuses. */
bool envelope_child_start(struct envelope_child *c, char *const argv[],
                          const char *const variables[]);

/* Takes turns, one after the other; the answer is that of the last one. Returns the processor
 * time in seconds that they took together, or a negative number if the program has failed. */
double envelope_child_ask(struct envelope_child *c, const struct envelope_turn *turns,
                          size_t n, struct envelope_answer *answer);

void envelope_child_end(struct envelope_child *c);

#endif
