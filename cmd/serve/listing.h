/* SPDX-License-Identifier: MIT */
/* Pages that list a directory. */
#ifndef FILCH_CMD_SERVE_LISTING_H
#define FILCH_CMD_SERVE_LISTING_H

#include <stddef.h>

struct listing {
	char *text;
	size_t length;
};

/* Lists the open directory; `path` is its path below the served directory. Names that
 * begin with a dot are left out. Returns 0 or a negative errno. */
int listing_make(struct listing *l, int directory, const char *path);
void listing_free(struct listing *l);

/* Encodes a character of a path for a URL. Returns the number of characters: 1 or 3. */
size_t url_encode(char c, char out[3]);

#endif
