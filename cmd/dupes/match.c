/* SPDX-License-Identifier: MIT */
/* From files to sets of duplicates, step by step: each step divides the classes that the
 * one before has left. */
#include "cmd/dupes/match.h"

#include "cmd/dupes/each.h"

/* Tells the progress line how many bytes will be read at most. */
static void expect(struct dupes *d)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < d->catalog.files; i++)
		bytes += d->catalog.file[i].size;
	dupes_count(&d->progress.to_read, bytes);
}

/* Empty files are all the same. The largest files come first, so the empty ones are at
 * the end. */
static void settle_empty(struct catalog *c)
{
	for (size_t i = c->files; i-- && !c->file[i].size;)
		c->file[i].stage = FILE_DONE;
}

/* Decides which files are hashed whole. As long as the files of a class fit side by side,
 * comparing them tells as much as their hashes, and reads them only once. */
static void want_hashes(struct match *m)
{
	for (size_t i = 0; i < m->classes.n; i++) {
		size_t begin = m->classes.start[i], end = m->classes.start[i + 1];

		for (size_t k = begin; k < end; k++)
			if (m->c->file[k].stage == FILE_BEGUN &&
			    (m->d->o->trust_hash || end - begin > MATCH_SIDE))
				m->c->file[k].stage = FILE_WANTED;
	}
}

/* With --trust-hash, files with the same hash are the same. */
static void trust(struct catalog *c)
{
	for (size_t i = 0; i < c->files; i++)
		c->file[i].stage = FILE_DONE;
}

static void run(struct match *m, size_t n,
                void (*body)(size_t i, void *buffer, void *match))
{
	each(n, match_lanes(m, 1), MATCH_BUFFER, body, m);
}

void dupes_match(struct dupes *d)
{
	struct match m = {.d = d, .c = &d->catalog};

	classes_drop_links(m.c);
	classes_make(m.c, &m.classes);
	expect(d);
	settle_empty(m.c);
	run(&m, m.classes.n, match_small);
	run(&m, m.c->files, match_hash_first_block);
	classes_make(m.c, &m.classes);
	want_hashes(&m);
	run(&m, m.c->files, match_hash_whole);
	classes_make(m.c, &m.classes);
	if (d->o->trust_hash)
		trust(m.c);
	else
		match_compare(&m);
	d->sets = m.classes;
}
