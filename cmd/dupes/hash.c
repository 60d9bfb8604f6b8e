/* SPDX-License-Identifier: MIT */
#include <unistd.h>
#include <xxhash.h>

#include "cmd/dupes/match.h"
#include "cmd/dupes/open.h"

enum { FIRST_BLOCK = 16 << 10 };

static int hash_contents(struct dupes *d, const struct file *f, int fd, uint64_t size,
                         char *buffer, XXH3_state_t *state)
{
	for (uint64_t at = 0; at < size;) {
		uint64_t rest = size - at;
		size_t n = rest < MATCH_BUFFER ? (size_t)rest : MATCH_BUFFER;
		int r = open_read(d, fd, buffer, n, at);

		if (r)
			return r;
		XXH3_128bits_update(state, buffer, n);
		at += n;
	}
	return open_unchanged(f, fd);
}

/* The hash of the first `size` bytes of the file becomes its key. */
static void hash_file(struct dupes *d, struct file *f, uint64_t size, char *buffer)
{
	XXH3_state_t *state = XXH3_createState();
	int fd = open_file(d, f), r = fd;
	XXH128_hash_t hash;

	if (!state)
		dupes_no_memory();
	XXH3_128bits_reset(state);
	if (fd >= 0) {
		r = hash_contents(d, f, fd, size, buffer, state);
		close(fd);
	}
	hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	f->key[0] = hash.high64;
	f->key[1] = hash.low64;
	f->stage = r ? FILE_GONE : size == f->size ? FILE_HASHED : FILE_BEGUN;
	if (r)
		match_failed(d, f, -r);
}

void match_hash_first_block(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	struct file *f = &m->c->file[i];

	if (f->stage == FILE_SIZED)
		hash_file(m->d, f, f->size < FIRST_BLOCK ? f->size : FIRST_BLOCK, buffer);
}

void match_hash_whole(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	struct file *f = &m->c->file[i];

	if (f->stage == FILE_WANTED)
		hash_file(m->d, f, f->size, buffer);
}
