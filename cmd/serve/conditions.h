/* SPDX-License-Identifier: MIT */
/* What a request makes its answer depend on: versions, dates and ranges of a file. */
#ifndef FILCH_CMD_SERVE_CONDITIONS_H
#define FILCH_CMD_SERVE_CONDITIONS_H

#include "cmd/serve/file.h"
#include "cmd/serve/request.h"

#define ETAG_MOST 52

/* Writes the file's entity tag, with its quotes. Returns its length. */
size_t etag_write(const struct file *f, char *out);

/* The bytes of a file that are asked for. */
struct range {
	uint64_t first, size;
};

/* What the conditions and the range come to: 200, 206 with the range set, 304, 412
 * or 416. */
int conditions_judge(const struct request *r, const struct file *f, struct range *range);

/* Reads "bytes=..." for a file of `size` bytes. 206; 200: not to be heeded, since it is
 * something else, or several ranges; 416: there are no such bytes. */
int range_read(struct text t, uint64_t size, struct range *range);

#endif
