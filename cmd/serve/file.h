/* SPDX-License-Identifier: MIT */
/* Files below the served directory, and never any other. */
#ifndef FILCH_CMD_SERVE_FILE_H
#define FILCH_CMD_SERVE_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

struct file {
	int fd;         /* -1: none, its contents are at hand */
	bool directory; /* else a regular file */
	uint64_t device, inode, size;
	int64_t modified, changed; /* its contents; they or what else is known of it; in
	                            * nanoseconds since 1970 */
};

/* When it was modified, as fields of requests and answers have it. */
static inline int64_t file_seconds(const struct file *f)
{
	return f->modified / INT64_C(1000000000);
}

/* All but the descriptor. */
void file_describe(struct file *f, const struct stat *s);

/* Opens the file or directory `path` below `root` for reading.
 * Errors: -EXDEV: the path leads out of it; -EACCES: also for what is neither file nor
 * directory; and all that open(2) has. */
int file_open(struct file *f, int root, const char *path);
void file_close(const struct file *f);

/* Where openat2() is missing: opens it one component after the other, and no links. */
int file_open_by_steps(int root, const char *path);

#endif
