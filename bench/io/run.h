/* SPDX-License-Identifier: MIT */
/*
 * What the suite io measures. Each file has implementations of a few benchmarks; what
 * they give is said with them, the order is that of the metrics in suite.c.
 */
#ifndef FILCH_BENCH_IO_RUN_H
#define FILCH_BENCH_IO_RUN_H

#include <filch/time.h>
#include <pthread.h>
#include <sys/types.h>

#include "bench/rounds.h"

/* Echo servers, in echo.c and epoll.c: messages a second, and the microseconds that half,
 * and 99 of 100, are answered within; microseconds of a processor that the server takes
 * for one, connecting and all. Size: connections. The client is a process of its
 * own (client.c). */
enum io_family { IO_TCP, IO_UNIX }; /* the parameter */
bool io_echo_filch(const struct rounds_run *run, double *out);
bool io_echo_thread(const struct rounds_run *run, double *out);
bool io_echo_epoll(const struct rounds_run *run, double *out);

/* Many that sleep, in sleepers.c: milliseconds from the time when they are to wake until
 * the last has run; GiB in memory while they sleep, all and what they added. */
bool io_sleepers_filch(const struct rounds_run *run, double *out);
bool io_sleepers_epoll(const struct rounds_run *run, double *out);

/* In sleepers.c, too: nanoseconds to set a deadline and take it back; microseconds that a
 * sleep of 1 ms lasts too long. */
bool io_timers(const struct rounds_run *run, double *out);
bool io_late_filch(const struct rounds_run *run, double *out);
bool io_late_thread(const struct rounds_run *run, double *out);

/* Files, in files.c: seconds for all. Parameter: the bytes of each file. */
bool io_files_filch(const struct rounds_run *run, double *out);
bool io_files_blocking(const struct rounds_run *run, double *out);
bool io_files_thread(const struct rounds_run *run, double *out);

/* In sync.c: nanoseconds of an operation that nobody else is in the way of; of a round
 * trip between two; of a hand-over between two. */
bool io_mutex(const struct rounds_run *run, double *out);
bool io_mutex_thread(const struct rounds_run *run, double *out);
bool io_event(const struct rounds_run *run, double *out);
bool io_channel(const struct rounds_run *run, double *out);
bool io_pingpong_filch(const struct rounds_run *run, double *out);
bool io_pingpong_thread(const struct rounds_run *run, double *out);
bool io_handover_filch(const struct rounds_run *run, double *out);
bool io_handover_thread(const struct rounds_run *run, double *out);

/* In notice.c: microseconds from a write by a thread outside until the strand that waits
 * for it runs, median and 99th percentile; parameter: what the worker does meanwhile. */
enum io_busy { IO_LONG, IO_SHORT };
bool io_notice_filch(const struct rounds_run *run, double *out);
bool io_notice_thread(const struct rounds_run *run, double *out);

/* In notice.c: milliseconds of a computation, alone and beside a stream of completions
 * that the other worker, or thread, takes; how many of these came a second. */
bool io_stream_filch(const struct rounds_run *run, double *out);
bool io_stream_quiet(const struct rounds_run *run, double *out);
bool io_stream_thread(const struct rounds_run *run, double *out);

/* ---- the client of the echo servers ---- */

#define IO_MESSAGE 64 /* bytes */

/* A server's end: where clients connect to, and the client. */
struct io_echo {
	int listener;
	size_t connections;
	double cpu; /* us that this process has taken before */
	pid_t client;
	int result;    /* a pipe from the client */
	char path[64]; /* of a Unix socket; "" for TCP */
};

/* False, after a message: this system does not allow so many connections. */
bool io_echo_begin(struct io_echo *e, const struct rounds_run *run);

/* What the client measured; `bytes` were echoed, as the server says. */
void io_echo_end(struct io_echo *e, uint64_t bytes, double *out);

/* Stops the client, when the server cannot go on. */
void io_echo_give_up(struct io_echo *e);

/* Ends a run that nobody connects to for so long. */
#define IO_PATIENCE_MS 30000

pthread_t io_thread(void *(*fn)(void *), void *arg);

#endif
