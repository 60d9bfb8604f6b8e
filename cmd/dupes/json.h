/* SPDX-License-Identifier: MIT */
#ifndef FILCH_CMD_DUPES_JSON_H
#define FILCH_CMD_DUPES_JSON_H

#include <stdio.h>

/* Writes {"path":"..."}. What is not UTF-8 in it is replaced by U+FFFD, and then there is
 * "path_hex" with all of its bytes as well. */
void json_write_path(const char *path, FILE *to);

#endif
