/* SPDX-License-Identifier: MIT */
/*
 * Files side by side: the same piece of each is read, and the files are divided by it. A
 * file is read once, and only as long as it equals another.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/dupes/each.h"
#include "cmd/dupes/match.h"
#include "cmd/dupes/open.h"

enum {
	PIECE = 32 << 20, /* bytes of a file that one lane compares, at least */
	PIECES = 4096     /* a file has no more pieces than this */
};

/* Files to be read side by side, from one offset to another: the first of a class, and n
 * - 1 others that follow one another in the catalog. */
struct side {
	size_t first, others; /* indices in the catalog */
	uint64_t from, to;
	uint32_t piece; /* how many sides before this one have the same files */
	uint32_t n;
	bool all;                  /* the class has no other files */
	uint8_t label[MATCH_SIDE]; /* of the first, and of the others */
	int error[MATCH_SIDE];     /* why a file has failed */
	_Atomic(bool) apart; /* hint, in piece 0: no two of the files are the same */
};

/* ---- one side ---- */

struct comparing {
	struct dupes *d;
	struct side *s;
	int fd[MATCH_SIDE]; /* negative: the file is no longer read */
	size_t piece;       /* bytes of each file in the buffer */
	char *buffer;
};

static const struct file *file_at(const struct comparing *c, size_t i)
{
	return &c->d->catalog.file[i ? c->s->others + i - 1 : c->s->first];
}

/* Stops reading a file because it has failed, or, if error is 0, because it is alone. If
 * it was the first of several equal files, the next of them takes its place. */
static void leave(struct comparing *c, size_t i, int error)
{
	struct side *s = c->s;
	size_t first = s->n;

	close(c->fd[i]);
	c->fd[i] = -1;
	s->error[i] = error;
	for (size_t k = i + 1; k < s->n && s->label[i] == i; k++)
		if (s->label[k] == i) {
			if (first == s->n)
				first = k;
			s->label[k] = (uint8_t)first;
		}
	s->label[i] = error ? MATCH_FAILED : MATCH_ALONE;
}

static bool alone(const struct side *s, size_t i)
{
	for (size_t k = 0; k < s->n; k++)
		if (k != i && s->label[k] == s->label[i])
			return false;
	return true;
}

/* Stops reading files that are alone. Returns true if any file is left. */
static bool leave_alone(struct comparing *c)
{
	bool others = false;

	for (size_t i = 0; i < c->s->n; i++) {
		if (c->fd[i] < 0)
			continue;
		if (alone(c->s, i))
			leave(c, i, 0);
		else
			others = true;
	}
	return others;
}

/* Divides files that were the same so far by what is in the buffer. */
static void tell_apart(struct comparing *c, size_t size)
{
	uint8_t before[MATCH_SIDE], *label = c->s->label;

	memcpy(before, label, sizeof before);
	for (size_t i = 0; i < c->s->n; i++) {
		size_t k = 0;

		if (c->fd[i] < 0)
			continue;
		while (k < i &&
		       (c->fd[k] < 0 || label[k] != k || before[k] != before[i] ||
		        memcmp(c->buffer + i * c->piece, c->buffer + k * c->piece, size)))
			k++;
		label[i] = (uint8_t)k;
	}
}

static void open_all(struct comparing *c)
{
	struct side *s = c->s;
	size_t first = s->n;

	for (size_t i = 0; i < s->n; i++) {
		c->fd[i] = open_file(c->d, file_at(c, i));
		if (c->fd[i] >= 0 && first == s->n)
			first = i;
		s->error[i] = c->fd[i] < 0 ? -c->fd[i] : 0;
		s->label[i] = c->fd[i] < 0 ? MATCH_FAILED : (uint8_t)first;
	}
}

static void read_all(struct comparing *c, size_t size, uint64_t at)
{
	for (size_t i = 0; i < c->s->n; i++) {
		int r = c->fd[i] < 0 ? 0
		                     : open_read(c->d, c->fd[i], c->buffer + i * c->piece,
		                                 size, at);

		if (r)
			leave(c, i, -r);
	}
}

/* Returns true if another piece has shown that all files differ. Relaxed: a hint. */
static bool is_needless(const struct side *s)
{
	return atomic_load_explicit(&s[-(ptrdiff_t)s->piece].apart, memory_order_relaxed);
}

static void compare(struct dupes *d, struct side *s, char *buffer)
{
	struct comparing c = {.d = d, .s = s, .buffer = buffer};
	bool others;

	if (is_needless(s)) {
		memset(s->label, MATCH_ALONE, sizeof s->label);
		memset(s->error, 0, sizeof s->error);
		return;
	}
	c.piece = MATCH_BUFFER / s->n / 4096 * 4096;
	open_all(&c);
	for (uint64_t at = s->from; (others = leave_alone(&c)) && at < s->to;) {
		uint64_t rest = s->to - at;
		size_t size = rest < c.piece ? (size_t)rest : c.piece;

		if (is_needless(s))
			break;
		read_all(&c, size, at);
		tell_apart(&c, size);
		at += size;
	}
	if (!others)
		/* Relaxed: a hint. */
		atomic_store_explicit(&s[-(ptrdiff_t)s->piece].apart, true,
		                      memory_order_relaxed);
	for (size_t i = 0; i < s->n; i++) {
		int r = c.fd[i] < 0 ? 0 : open_unchanged(file_at(&c, i), c.fd[i]);

		if (r)
			leave(&c, i, -r);
		else if (c.fd[i] >= 0)
			close(c.fd[i]);
	}
}

/* ---- all sides of a round ---- */

struct round {
	struct match *m;
	struct side *side;
	size_t sides, room;
};

static void add_side(struct round *r, const struct side *s)
{
	if (r->sides == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->side = realloc(r->side, r->room * sizeof *r->side);
		if (!r->side)
			dupes_no_memory();
	}
	r->side[r->sides++] = *s;
}

/* Divides a class into sides: its first file with some of the others at a time, and these
 * in pieces. */
static void add_sides(struct round *r, size_t first, size_t n)
{
	uint64_t size = r->m->c->file[first].size;
	uint64_t least = size / PIECES + 1, piece = least < PIECE ? PIECE : least;

	for (size_t i = 1; i < n; i += MATCH_SIDE - 1) {
		size_t some = n - i < MATCH_SIDE - 1 ? n - i : MATCH_SIDE - 1;
		struct side s = {.first = first,
		                 .others = first + i,
		                 .n = (uint32_t)some + 1,
		                 .all = some + 1 == n};

		for (; s.from < size; s.from = s.to, s.piece++) {
			s.to = size - s.from < piece ? size : s.from + piece;
			add_side(r, &s);
		}
	}
}

/* Combines the results of two pieces of the same files, and leaves them in the first. */
static void combine(struct side *s, const struct side *other)
{
	uint8_t both[MATCH_SIDE] = {0}, *label = s->label;
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

/* Files that equal the first are done, unless the first has failed. The others have the
 * hash of the first but not its contents; they become a class of their own, for another
 * round. */
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

/* The first file of a class may be in several sides; it is reported once. */
static void report(const struct match *m, const struct side *s)
{
	struct file *first = &m->c->file[s->first];

	if (s->error[0] && first->stage != FILE_GONE)
		match_failed(m->d, first, s->error[0]);
	for (size_t i = 1; i < s->n; i++)
		if (s->error[i])
			match_failed(m->d, &m->c->file[s->others + i - 1], s->error[i]);
}

static void settle_sides(struct round *r)
{
	struct file *file = r->m->c->file;
	size_t next;

	for (size_t i = 0; i < r->sides; i = next) {
		struct side *s = &r->side[i];

		for (next = i + 1; next < r->sides && r->side[next].others == s->others;
		     next++)
			combine(s, &r->side[next]);
		report(r->m, s);
		if (s->label[0] == MATCH_FAILED)
			file[s->first].stage = FILE_GONE;
	}
	/* This comes after the loop above: a first file that failed in one side has
	 * failed in all. */
	for (size_t i = 0; i < r->sides; i = next) {
		struct side *s = &r->side[i];

		for (next = i + 1; next < r->sides && r->side[next].others == s->others;)
			next++;
		if (s->all)
			classes_settle(&file[s->first], s->label, s->n);
		else
			settle_some(&file[s->first], &file[s->others], s->label, s->n);
	}
	/* This comes after the loop above: the sides of a class share its first file. */
	for (size_t i = 0; i < r->sides; i++) {
		struct file *f = &file[r->side[i].first];

		if (f->stage == FILE_DONE && !r->side[i].all) {
			f->key[0] = f->inode;
			f->key[1] = f->device;
		}
	}
}

static void compare_one(size_t i, void *buffer, void *round)
{
	struct round *r = round;

	compare(r->m->d, &r->side[i], buffer);
}

/* Returns false if no class is left to compare. */
static bool compare_round(struct round *r)
{
	struct match *m = r->m;

	r->sides = 0;
	for (size_t i = 0; i < m->classes.n; i++) {
		size_t begin = m->classes.start[i];

		if (m->c->file[begin].stage != FILE_DONE)
			add_sides(r, begin, m->classes.start[i + 1] - begin);
	}
	if (!r->sides)
		return false;
	each(r->sides, match_lanes(m, MATCH_SIDE), MATCH_BUFFER, compare_one, r);
	settle_sides(r);
	classes_make(m->c, &m->classes);
	return true;
}

void match_compare(struct match *m)
{
	struct round r = {.m = m};

	while (compare_round(&r))
		;
	free(r.side);
}
