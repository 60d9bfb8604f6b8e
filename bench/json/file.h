/* SPDX-License-Identifier: MIT */
/*
 * The file that is parsed. Always the same for a size, and what it says is known without
 * parsing it.
 */
#ifndef FILCH_BENCH_JSON_FILE_H
#define FILCH_BENCH_JSON_FILE_H

#include "bench/json/summary.h"

struct events_file {
	int fd; /* it has no name any more, and goes with the process */
	size_t size;
	struct summary says;
};

/* Made by the first call, in TMPDIR or /tmp: up to so many bytes, and not much less. */
const struct events_file *events_file(size_t size);

/* Has the system forget what it holds of it in memory. False if that is not done. */
bool events_file_cool(const struct events_file *f);

#endif
