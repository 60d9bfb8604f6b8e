/* SPDX-License-Identifier: MIT */
#include "cmd/serve/cache.h"

#include <fcntl.h>
#include <filch/pool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PLACES 256u /* for each worker; with SMALL_FILE, 8 MiB at most */
#define SECOND INT64_C(1000000000)

/* A path has one place. The file there stays until the same other path is offered twice
 * in a row: otherwise many files that are asked for in turn would only replace each
 * other. */
struct place {
	uint64_t refused; /* hash of the path that was offered and refused last */
	struct kept *kept;
};

struct kept {
	uint64_t hash;
	struct file file;
	char *path;
	char contents[]; /* and then the path */
};

struct cache {
	unsigned workers;
	struct place place[]; /* PLACES for each worker */
};

struct cache *cache_create(unsigned workers)
{
	size_t n = (size_t)workers * PLACES;
	struct cache *c = calloc(1, sizeof *c + n * sizeof *c->place);

	if (c)
		c->workers = workers;
	return c;
}

void cache_destroy(struct cache *c)
{
	for (size_t i = 0; c && i < (size_t)c->workers * PLACES; i++)
		free(c->place[i].kept);
	free(c);
}

/* FNV-1a. A client that chooses colliding paths only makes the cache useless for these
 * paths. */
static uint64_t hash_of(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3;
	return hash;
}

static struct place *place_of(struct cache *c, uint64_t hash)
{
	size_t worker = (size_t)filch_worker_index() % c->workers;

	return &c->place[worker * PLACES + (hash ^ hash >> 32) % PLACES];
}

/* Returns whether the path still leads to the same, unchanged file. It may lead out of
 * the directory by now: then the file is another one, and nothing of it is used. */
static bool is_same(int root, const struct kept *k)
{
	struct stat s;
	struct file now;

	if (fstatat(root, k->path, &s, 0) || !S_ISREG(s.st_mode))
		return false;
	file_describe(&now, &s);
	return now.device == k->file.device && now.inode == k->file.inode &&
	       now.size == k->file.size && now.modified == k->file.modified &&
	       now.changed == k->file.changed;
}

const char *cache_find(struct cache *c, int root, const char *path, struct file *f)
{
	uint64_t hash = hash_of(path);
	struct place *p = place_of(c, hash);
	struct kept *k = p->kept;

	if (!k || k->hash != hash || strcmp(k->path, path))
		return NULL;
	if (!is_same(root, k)) {
		free(k);
		p->kept = NULL;
		return NULL;
	}
	*f = k->file;
	return k->contents;
}

/* A file that was changed just now may be changed again within the same tick of the file
 * system's clock, and would then look unchanged. */
static bool is_too_new(const struct file *f)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return f->changed > (now.tv_sec - 2) * SECOND + now.tv_nsec;
}

void cache_put(struct cache *c, const char *path, const struct file *f,
               const char *contents)
{
	uint64_t hash = hash_of(path);
	struct place *p = place_of(c, hash);
	size_t length = strlen(path) + 1;
	struct kept *k;

	if (is_too_new(f))
		return;
	if (p->kept && p->refused != hash) {
		p->refused = hash;
		return;
	}
	k = malloc(sizeof *k + f->size + length);
	if (!k)
		return;
	k->hash = hash;
	k->file = *f;
	k->file.fd = -1;
	memcpy(k->contents, contents, f->size);
	k->path = memcpy(k->contents + f->size, path, length);
	free(p->kept);
	*p = (struct place){hash, k};
}
