/* SPDX-License-Identifier: MIT */
/*
 * The contents of small files that were asked for more than once. Before each use, the
 * system is asked whether the path still leads to the same file and whether that file is
 * unchanged. The system does not tell at once about writes through a mapping. Each worker
 * has its own part of the cache, so there are no locks.
 */
#ifndef FILCH_CMD_SERVE_CACHE_H
#define FILCH_CMD_SERVE_CACHE_H

#include "cmd/serve/file.h"

struct cache;

/* Makes a cache for so many workers. Returns NULL if there is no memory. */
struct cache *cache_create(unsigned workers);
void cache_destroy(struct cache *c);

/* Looks for the file that this path below root leads to. Sets *f, without a descriptor,
 * and returns its contents, or NULL. Lifetime: until the strand waits for anything. */
const char *cache_find(struct cache *c, int root, const char *path, struct file *f);

/* Offers the contents of a file that was just read. */
void cache_put(struct cache *c, const char *path, const struct file *f,
               const char *contents);

#endif
