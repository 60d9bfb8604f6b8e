/* SPDX-License-Identifier: MIT */
#ifndef FILCH_CMD_SERVE_TYPES_H
#define FILCH_CMD_SERVE_TYPES_H

/* Returns the media type of a file, according to the end of its name. */
const char *type_of(const char *path);

#endif
