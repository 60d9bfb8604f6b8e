/* SPDX-License-Identifier: MIT */
/*
 * What is to be found out about a file of events: sums, least and greatest for each path,
 * in the order in which the paths come up, and which lines are no events.
 *
 * A part of a file has a summary, too. Merged from left to right, those of all parts are
 * that of the whole: all numbers are integers, and line numbers count from the beginning
 * of a part.
 */
#ifndef FILCH_BENCH_JSON_SUMMARY_H
#define FILCH_BENCH_JSON_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is used of an event. */
struct event {
	const char *path; /* of the request; need not end with 0 */
	size_t length;
	bool failed;
	uint64_t bytes;
	uint64_t latency; /* us */
	uint64_t spent;   /* cents, for all items */
	uint64_t text;    /* bytes of its longer strings, without escapes */
};

struct summary_row {
	uint64_t hash;
	size_t path, length; /* in `paths` */
	uint64_t first;      /* line */
	uint64_t events, failed, bytes, spent, text;
	uint64_t latency, fastest, slowest;
};

/* A line that is no event. */
struct summary_reject {
	uint64_t line;
	char why[80];
};

/* All zero is empty. */
struct summary {
	uint64_t lines; /* from 1 on */
	/* Depends on all events and their order: a number with one digit an event, and 1
	 * with as many zeros, modulo 2^64. */
	uint64_t check, weight;
	struct summary_row *row;
	size_t rows, row_room;
	uint32_t *index; /* by hash: a row plus 1, or 0 */
	size_t slots;    /* a power of 2 */
	char *paths;
	size_t paths_size, paths_room;
	struct summary_reject *reject;
	size_t rejects, reject_room;
};

/* Line `lines` is this event; is none. */
void summary_add(struct summary *s, const struct event *e);
void summary_reject(struct summary *s, const char *why);

/* Adds what comes after it in the file. */
void summary_merge(struct summary *s, const struct summary *next);

/* The same lines were rejected, for whatever reason, and all else is the same. */
bool summary_equal(const struct summary *a, const struct summary *b);

void summary_clear(struct summary *s); /* keeps its memory */
void summary_free(struct summary *s);

#endif
