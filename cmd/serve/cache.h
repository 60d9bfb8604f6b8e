/* SPDX-License-Identifier: MIT */
/*
 * Contents of small files that were asked for more than once. Each use asks
 * the system whether the path still means the same file, unchanged since; of what is
 * written to a file by a mapping, the system does not tell at once.
 * Each worker has its own, so there are no locks.
 */
#ifndef FILCH_CMD_SERVE_CACHE_H
#define FILCH_CMD_SERVE_CACHE_H

#include "cmd/serve/file.h"

struct cache;

/* For so many workers; NULL without memory. */
struct cache *cache_create(unsigned workers);
void cache_destroy(struct cache *c);

/* Finds a file that would be opened at this path below root. Sets *f, without a
 * descriptor, and returns its contents, or NULL. Lifetime: until the strand waits
 * for anything. */
const char *cache_find(struct cache *c, int root, const char *path, struct file *f);

/* Offers a file that was just read. */
void cache_put(struct cache *c, const char *path, const struct file *f,
               const char *contents);

#endif
