/* SPDX-License-Identifier: MIT */
/*
 * Where the file is. All of these return 0 or an errno.
 */
#ifndef FILCH_TRACE_PATH_H
#define FILCH_TRACE_PATH_H

#include <limits.h>
#include <stddef.h>

/* Makes the name absolute, and replaces %p by the process's number. */
int filch__path_expand(char *out, size_t size, const char *path);

/* Follows a link, so that the link itself stays. */
int filch__path_follow(char path[PATH_MAX]);

/* Copies the file `from` as it is to `to`, which must not exist. */
int filch__path_copy(const char *from, const char *to);

#endif
