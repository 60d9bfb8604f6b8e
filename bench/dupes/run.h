/* SPDX-License-Identifier: MIT */
/* The parts of filch bench dupes: programs as child processes, and what they found. */
#ifndef FILCH_BENCH_DUPES_RUN_H
#define FILCH_BENCH_DUPES_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* How a program prints the sets that it has found. */
enum output_form {
	OUTPUT_NULL,  /* names end with a zero byte, sets with an empty name */
	OUTPUT_LINES, /* names end with a line, sets with an empty one */
	OUTPUT_RDFIND /* rdfind's file of results */
};

/* The sets in a file, as a number that depends on neither their order nor that of their
 * names. False if it cannot be read. */
bool output_digest(const char *path, enum output_form form, uint64_t *digest);

struct child {
	double seconds, rss_mib;
	int status; /* as of waitpid() */
};

/* Runs a program with its standard output in a file. Returns 0 or -errno: it could not be
 * started; -EINTR: *stop has become true, and the program was ended. */
int child_run(char *const *argv, const char *output, const volatile sig_atomic_t *stop,
              struct child *out);

#endif
