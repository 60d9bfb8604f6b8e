/* SPDX-License-Identifier: MIT */
#ifndef FILCH_CMD_DUPES_JSON_H
#define FILCH_CMD_DUPES_JSON_H

#include <stdio.h>

/* Writes {"path":"..."}. Bytes that are not UTF-8 are replaced by U+FFFD, and then
 * "path_hex" follows with all bytes of the path. */
void json_write_path(const char *path, FILE *to);

#endif
