/* SPDX-License-Identifier: MIT */
/*
 * A file in pieces of whole lines. What comes after the last end of a line is left for
 * the next piece; a piece grows until there is one, or the file ends.
 */
#ifndef FILCH_BENCH_JSON_PIECE_H
#define FILCH_BENCH_JSON_PIECE_H

#include <sys/types.h>

#include "bench/json/summary.h"

#define PIECE_READ ((size_t)128 << 10) /* bytes that are read at a time */

/* All zero is empty. */
struct piece {
	char *text;
	size_t room, filled;
	size_t size;          /* of its lines; what is behind is for the next piece */
	struct summary found; /* in it */
};

/* Where a file is read, and by what: pread(), or what is like it. */
struct reader {
	int fd;
	size_t at, end;
	ssize_t (*read)(int fd, void *buffer, size_t size, off_t offset);
};

/* Fills a piece with what comes after the one before it, which may be the same. At the end
 * of the file its size is 0.
 * Errors: what reading returns; -ENOMEM. */
int piece_fill(struct piece *p, const struct piece *before, struct reader *r);

/* Parses its lines, and adds them to a summary. */
void piece_parse(const struct piece *p, struct summary *s);

void piece_free(struct piece *p);

#endif
