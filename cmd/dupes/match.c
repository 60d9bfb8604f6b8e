/* SPDX-License-Identifier: MIT */
/* From files to sets of duplicates: each step is for those left by the one before. */
#include "cmd/dupes/match.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/dupes/each.h"

enum {
	PIECE = 32 << 20, /* bytes of a file that one lane compares, or more: */
	PIECES = 4096     /* of a file, at most */
};

struct match {
	struct dupes *d;
	struct catalog *c;
	struct classes classes;
	struct side *side;
	size_t sides, side_room;
};

static void small(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	size_t begin = m->classes.start[i], end = m->classes.start[i + 1];

	if (m->c->file[begin].stage == FILE_SIZED)
		match_small(m->d, m->c->file + begin, end - begin, buffer);
}

static void hash_first_block(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	struct file *f = &m->c->file[i];

	if (f->stage == FILE_SIZED)
		match_hash(m->d, f, f->size < MATCH_BLOCK ? f->size : MATCH_BLOCK,
		           buffer);
}

static void hash_whole(size_t i, void *buffer, void *match)
{
	struct match *m = match;
	struct file *f = &m->c->file[i];

	if (f->stage == FILE_WANTED)
		match_hash(m->d, f, f->size, buffer);
}

static void compare(size_t i, void *buffer, void *match)
{
	struct match *m = match;

	match_compare(m->d, &m->side[i], buffer);
}

static void run(struct match *m, size_t n, size_t descriptors,
                void (*body)(size_t i, void *buffer, void *match))
{
	size_t lanes = m->d->descriptors / descriptors;

	lanes = lanes < 1 ? 1 : lanes > MATCH_LANES ? MATCH_LANES : lanes;
	each(n, lanes, MATCH_BUFFER, body, m);
}

/* Empty files are all the same. */
static void settle_empty(struct catalog *c)
{
	for (size_t i = c->files; i-- && !c->file[i].size;)
		c->file[i].stage = FILE_DONE;
}

/* As long as files fit side by side, comparing them tells as much as their hashes, and
 * reads them only once. */
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

/* ---- byte by byte ---- */

static void add_side(struct match *m, const struct side *s)
{
	if (m->sides == m->side_room) {
		m->side_room = m->side_room ? 2 * m->side_room : 64;
		m->side = realloc(m->side, m->side_room * sizeof *m->side);
		if (!m->side)
			dupes_no_memory();
	}
	m->side[m->sides++] = *s;
}

/* A class as what can be read side by side: its first with some of the others at a time,
 * and that in pieces. */
static void add_sides(struct match *m, size_t first, size_t n)
{
	uint64_t size = m->c->file[first].size;
	uint64_t least = size / PIECES + 1, piece = least < PIECE ? PIECE : least;

	for (size_t i = 1; i < n; i += MATCH_SIDE - 1) {
		size_t some = n - i < MATCH_SIDE - 1 ? n - i : MATCH_SIDE - 1;
		struct side s = {.first = first,
		                 .others = first + i,
		                 .n = (uint32_t)some + 1,
		                 .all = some + 1 == n};

		for (; s.from < size; s.from = s.to, s.piece++) {
			s.to = size - s.from < piece ? size : s.from + piece;
			add_side(m, &s);
		}
	}
}

/* What two pieces of the same files say together, into the first. */
static void combine(struct side *s, const struct side *other)
{
	uint8_t both[MATCH_SIDE], *label = s->label;
	const uint8_t *also = other->label;

	for (size_t i = 0; i < s->n; i++) {
		size_t k = 0;

		while (label[k] != label[i] || also[k] != also[i])
			k++;
		both[i] = label[i] > also[i] ? label[i] : also[i];
		if (both[i] < MATCH_ALONE)
			both[i] = (uint8_t)k;
	}
	memcpy(label, both, s->n);
	for (size_t i = 0; i < s->n; i++)
		s->error[i] = s->error[i] ? s->error[i] : other->error[i];
}

/* Those that equal the first are done, unless that has failed. The rest is a class of its
 * own, for another round: it has the hash of the first, but not its contents. */
static void settle_some(struct file *first, struct file *others, const uint8_t *label,
                        size_t n)
{
	if (first->stage != FILE_GONE)
		first->stage = FILE_DONE;
	for (size_t i = 1; i < n; i++) {
		struct file *f = &others[i - 1];

		if (label[i] == MATCH_FAILED) {
			f->stage = FILE_GONE;
		} else if (label[i] == 0 && first->stage != FILE_GONE) {
			f->stage = FILE_DONE;
			f->key[0] = first->inode;
			f->key[1] = first->device;
		} else {
			f->key[1]++;
		}
	}
}

/* The first of a class may be of several sides; it is reported once. */
static void report(struct match *m, const struct side *s)
{
	struct file *first = &m->c->file[s->first];

	if (s->error[0] && first->stage != FILE_GONE)
		match_failed(m->d, first, s->error[0]);
	for (size_t i = 1; i < s->n; i++)
		if (s->error[i])
			match_failed(m->d, &m->c->file[s->others + i - 1], s->error[i]);
}

static void settle_sides(struct match *m)
{
	struct file *file = m->c->file;
	size_t next;

	for (size_t i = 0; i < m->sides; i = next) {
		struct side *s = &m->side[i];

		for (next = i + 1; next < m->sides && m->side[next].others == s->others;
		     next++)
			combine(s, &m->side[next]);
		report(m, s);
		if (s->label[0] == MATCH_FAILED)
			file[s->first].stage = FILE_GONE;
	}
	/* Only now: a side in which the first has failed holds for all of the class. */
	for (size_t i = 0; i < m->sides; i = next) {
		struct side *s = &m->side[i];

		for (next = i + 1; next < m->sides && m->side[next].others == s->others;)
			next++;
		if (s->all)
			classes_settle(&file[s->first], s->label, s->n);
		else
			settle_some(&file[s->first], &file[s->others], s->label, s->n);
	}
	/* Only now: the sides of a class have its first in common. */
	for (size_t i = 0; i < m->sides; i++) {
		struct file *f = &file[m->side[i].first];

		if (f->stage == FILE_DONE && !m->side[i].all) {
			f->key[0] = f->inode;
			f->key[1] = f->device;
		}
	}
}

/* False if there is nothing to compare any more. */
static bool compare_round(struct match *m)
{
	m->sides = 0;
	for (size_t i = 0; i < m->classes.n; i++) {
		size_t begin = m->classes.start[i];

		if (m->c->file[begin].stage != FILE_DONE)
			add_sides(m, begin, m->classes.start[i + 1] - begin);
	}
	if (!m->sides)
		return false;
	run(m, m->sides, MATCH_SIDE, compare);
	settle_sides(m);
	classes_make(m->c, &m->classes);
	return true;
}

/* ---- all of it ---- */

/* Who has the same hash is the same. */
static void trust(struct catalog *c)
{
	for (size_t i = 0; i < c->files; i++)
		c->file[i].stage = FILE_DONE;
}

static void expect(struct dupes *d)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < d->catalog.files; i++)
		bytes += d->catalog.file[i].size;
	store_rlx(&d->progress.to_read, bytes); /* relaxed: for who watches */
}

void dupes_match(struct dupes *d)
{
	struct match m = {.d = d, .c = &d->catalog};

	classes_drop_links(m.c);
	classes_make(m.c, &m.classes);
	expect(d);
	settle_empty(m.c);
	run(&m, m.classes.n, 1, small);
	run(&m, m.c->files, 1, hash_first_block);
	classes_make(m.c, &m.classes);
	want_hashes(&m);
	run(&m, m.c->files, 1, hash_whole);
	classes_make(m.c, &m.classes);
	if (d->o->trust_hash)
		trust(m.c);
	while (compare_round(&m))
		;
	d->sets = m.classes;
	free(m.side);
}
