/* SPDX-License-Identifier: MIT */
/*
 * Classes of files that may have the same contents, and the steps that divide them. A
 * class is a run of the catalog's files that agree in size and key; the largest files
 * come first.
 */
#ifndef FILCH_CMD_DUPES_MATCH_H
#define FILCH_CMD_DUPES_MATCH_H

#include "cmd/dupes/dupes.h"

enum {
	MATCH_LANES = 16,
	MATCH_BUFFER = 128 << 10, /* bytes of a lane's buffer */
	MATCH_SIDE = 16,          /* files that are compared side by side, at most */
	MATCH_FEW = 64,           /* files of a small class, at most */
};

/* The data that each step gets from the one before. */
struct match {
	struct dupes *d;
	struct catalog *c;
	struct classes classes;
};

/* Returns how many lanes can read at a time if each has this many descriptors open. */
static inline size_t match_lanes(const struct match *m, size_t descriptors)
{
	size_t lanes = m->d->descriptors / descriptors;

	return lanes < 1 ? 1 : lanes > MATCH_LANES ? MATCH_LANES : lanes;
}

/* Prints that the file cannot be read. */
static inline void match_failed(struct dupes *d, const struct file *f, int error)
{
	dupes_failed(d, f->directory, catalog_name(&d->catalog, f), error);
}

/* ---- classes.c ---- */

/* Sorts the files into classes, drops files that are alone in theirs, and sets *s. */
void classes_make(struct catalog *c, struct classes *s);

/* Drops all names of a file but the first. Caller: no file has a key yet. */
void classes_drop_links(struct catalog *c);

/* Labels that are not the index of a file: the file could not be read; it equals no
 * other. */
enum { MATCH_FAILED = 255, MATCH_ALONE = 254 };

/* Settles n files: label[i] is the index of the first file that f[i] equals, which may be
 * i. Files that share a label become FILE_DONE, all others FILE_GONE. */
void classes_settle(struct file *f, const uint8_t *label, size_t n);

/* ---- the steps, each in the file of its name ---- */

/* Bodies of each(), whose context is a struct match.
 *
 * small.c: settles class i, if it is small enough to be read at once. */
void match_small(size_t i, void *buffer, void *match);

/* hash.c: the hash of the first block becomes the key of file i, if it is FILE_SIZED; the
 * hash of its whole contents does, if it is FILE_WANTED. */
void match_hash_first_block(size_t i, void *buffer, void *match);
void match_hash_whole(size_t i, void *buffer, void *match);

/* compare.c: settles all classes by comparing their files, byte by byte. */
void match_compare(struct match *m);

#endif
