/* SPDX-License-Identifier: MIT */
/*
 * Most files are small, and of most sizes there are few files. The files of such a class
 * are read at once: each is opened and read a single time, and they are compared in
 * memory.
 */
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cmd/dupes/match.h"
#include "cmd/dupes/open.h"

static bool read_whole(struct dupes *d, const struct file *f, char *to)
{
	int fd = open_file(d, f), r = fd;

	if (fd >= 0) {
		r = open_read(d, fd, to, f->size, 0);
		r = r ? r : open_unchanged(f, fd);
		close(fd);
	}
	if (r)
		match_failed(d, f, -r);
	return !r;
}

/* Returns the first file with the same contents as the file i; i if there is none before
 * it. */
static size_t first_same(const char *buffer, size_t size, const XXH128_hash_t *hash,
                         const uint8_t *label, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (label[k] == k && XXH128_isEqual(hash[i], hash[k]) &&
		    !memcmp(buffer + i * size, buffer + k * size, size))
			return k;
	return i;
}

static void settle(struct dupes *d, struct file *f, size_t n, char *buffer)
{
	size_t size = f->size;
	XXH128_hash_t hash[MATCH_FEW] = {0};
	uint8_t label[MATCH_FEW];

	for (size_t i = 0; i < n; i++) {
		char *mine = buffer + i * size;

		label[i] = MATCH_FAILED;
		if (!read_whole(d, &f[i], mine))
			continue;
		if (n > 2) /* for two files, comparing alone is cheaper */
			hash[i] = XXH3_128bits(mine, size);
		label[i] = (uint8_t)first_same(buffer, size, hash, label, i);
	}
	classes_settle(f, label, n);
}

void match_small(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	size_t begin = m->classes.start[i], n = m->classes.start[i + 1] - begin;
	struct file *f = m->c->file + begin;

	if (f->stage == FILE_SIZED && n <= MATCH_FEW && f->size <= MATCH_BUFFER / n)
		settle(m->d, f, n, buffer);
}
