/* SPDX-License-Identifier: MIT */
/* The conditions of a request: versions, dates and ranges of a file. */
#ifndef FILCH_CMD_SERVE_CONDITIONS_H
#define FILCH_CMD_SERVE_CONDITIONS_H

#include "cmd/serve/file.h"
#include "cmd/serve/request.h"

#define ETAG_MOST 52

/* Writes the file's entity tag, with its quotes. Returns its length. */
size_t etag_write(const struct file *f, char *out);

/* The bytes of a file that a request asks for. */
struct range {
	uint64_t first, size;
};

/* Returns the status that follows from the conditions and the range: 200, 206 with *range
 * set, 304, 412 or 416. */
int conditions_judge(const struct request *r, const struct file *f, struct range *range);

/* Reads "bytes=..." for a file of `size` bytes. Returns 206; 200 if the field is ignored,
 * since it has another form or several ranges; 416 if the file has no such bytes. */
int range_read(struct text t, uint64_t size, struct range *range);

#endif
