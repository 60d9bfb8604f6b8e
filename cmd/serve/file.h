/* SPDX-License-Identifier: MIT */
/* Files below the served directory; no other file is ever opened. */
#ifndef FILCH_CMD_SERVE_FILE_H
#define FILCH_CMD_SERVE_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

struct file {
	int fd;         /* -1: the contents come from the cache */
	bool directory; /* otherwise it is a regular file */
	uint64_t device, inode, size;
	int64_t modified, changed; /* st_mtim and st_ctim, in nanoseconds since 1970 */
};

/* The time of modification in seconds, as in the fields of requests and answers. */
static inline int64_t file_seconds(const struct file *f)
{
	return f->modified / INT64_C(1000000000);
}

/* Sets all fields; the descriptor is -1. */
void file_describe(struct file *f, const struct stat *s);

/* Opens the file or directory `path` below `root` for reading.
 * Errors: -EXDEV: the path leads out of `root`; -EACCES: also if it leads to neither a
 * file nor a directory; and those of open(2). */
int file_open(struct file *f, int root, const char *path);
void file_close(const struct file *f);

/* Does the same where openat2() is missing: opens one component after the other, and
 * follows no links. Returns a descriptor or a negative errno. */
int file_open_by_steps(int root, const char *path);

#endif
