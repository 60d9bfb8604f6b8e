/* SPDX-License-Identifier: MIT */
/* What the suite serve is made of: servers that are processes of their own, and wrk. */
#ifndef FILCH_BENCH_SERVE_RUN_H
#define FILCH_BENCH_SERVE_RUN_H

#include <sys/types.h>

#include "bench/rounds.h"

#define SERVE_PATH 512

/* A server that was started. */
struct serve_server {
	pid_t process;
	unsigned port;
};

/* Metrics of a run. */
enum { SERVE_THROUGHPUT, SERVE_P99, SERVE_CPU, SERVE_MEMORY };

/* Starts a program that has `count` processors from the first one on. Its output goes to
 * `out`, -1: nowhere. It does not outlive this process. */
pid_t serve_start(char *const argv[], size_t first, size_t count, int out);

/* Ends it. */
void serve_end(pid_t process);

/* A program's whole path, or NULL if there is none. */
const char *serve_find(const char *name, char *path);

/* Has a server serve /N.bin, of N = `size` bytes, and ends it. The program is nginx,
 * or NULL: Filch itself. */
void serve_begin(struct serve_server *s, const char *program, unsigned workers,
                 size_t size);
void serve_finish(struct serve_server *s);

/* Whether it answers, and rightly. */
void serve_check(const struct serve_server *s, size_t size);

/* The implementations: run->size connections, a file of run->param bytes. */
bool serve_filch(const struct rounds_run *run, double *out);
bool serve_filch_2(const struct rounds_run *run, double *out);
bool serve_nginx(const struct rounds_run *run, double *out);

#endif
