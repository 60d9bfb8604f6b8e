/* SPDX-License-Identifier: MIT */
/*
 * What the suite json measures: a file of events parsed and summed up. Size: bytes. Each
 * gives the seconds, and the millions of bytes a second.
 */
#ifndef FILCH_BENCH_JSON_RUN_H
#define FILCH_BENCH_JSON_RUN_H

#include "bench/json/file.h"
#include "bench/rounds.h"

/* The parameter: where the file is when a run begins. */
enum json_where { JSON_IN_MEMORY, JSON_ON_DISK };

bool events_filch(const struct rounds_run *run, double *out);  /* in filch.c */
bool events_serial(const struct rounds_run *run, double *out); /* in serial.c */
bool events_thread(const struct rounds_run *run, double *out);

/* In measure.c: times a summary of the file being made, and checks it. */
bool events_measure(const struct rounds_run *run, double *out,
                    void (*summarise)(const struct events_file *f, struct summary *s,
                                      struct filch_pool *pool));

#endif
