/* SPDX-License-Identifier: MIT */
/*
 * Opening files and directories that were found before, and making sure that they still
 * are what they were. Without --follow no symbolic link is followed, whatever was
 * replaced since.
 */
#ifndef FILCH_CMD_DUPES_OPEN_H
#define FILCH_CMD_DUPES_OPEN_H

#include "cmd/dupes/dupes.h"

struct stat;

/* The device and the time of modification, in the form that the catalog keeps. */
uint32_t open_device(const struct stat *s);
uint64_t open_mtime(const struct stat *s);

/* Opens a path without checking what it is. Returns a descriptor or -errno. Blocks. */
int open_path(struct dupes *d, const char *path, int flags);

/* The functions below return a negative error if the file is not what it was.
 *
 * Opens a file for reading. Returns a descriptor, to be closed by close(). Suspends the
 * strand where the system would block. */
int open_file(struct dupes *d, const struct file *f);

/* Returns 0 if the file is as it was found. */
int open_unchanged(const struct file *f, int fd);

/* Reads [offset, offset + size) of the file. Returns 0. */
int open_read(struct dupes *d, int fd, void *to, size_t size, uint64_t offset);

#endif
