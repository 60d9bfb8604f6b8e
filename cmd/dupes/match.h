/* SPDX-License-Identifier: MIT */
/*
 * Classes of files that may be the same, and the ways to tell. A class is a run of the
 * catalog's files that agree in size and key; the largest files come first.
 */
#ifndef FILCH_CMD_DUPES_MATCH_H
#define FILCH_CMD_DUPES_MATCH_H

#include "cmd/dupes/dupes.h"

enum {
	MATCH_LANES = 16,
	MATCH_BUFFER = 128 << 10, /* of a lane */
	MATCH_BLOCK = 16 << 10,   /* the first block of a file */
	MATCH_SIDE = 16,          /* files that are compared side by side */
	MATCH_FEW = 64,           /* files that are read at once */
};

/* Sorts the files into classes, drops those that are alone, and has *s anew. */
void classes_make(struct catalog *c, struct classes *s);

/* Only the first of the names of a file stays. Caller: before anything has a key. */
void classes_drop_links(struct catalog *c);

/* Instead of the index of another file: it could not be read; it equals no other. */
enum { MATCH_FAILED = 255, MATCH_ALONE = 254 };

/* Files of n of which label[i] is the first that f[i] equals, maybe itself, are done if
 * there is another with that label. All others are gone. */
void classes_settle(struct file *f, const uint8_t *label, size_t n);

/* Says that the file cannot be read. */
static inline void match_failed(struct dupes *d, const struct file *f, int error)
{
	dupes_failed(d, f->directory, catalog_name(&d->catalog, f), error);
}

/* small.c: settles the class if it is small enough to be read at once. */
void match_small(struct dupes *d, struct file *f, size_t n, char *buffer);

/* hash.c: the hash of the first `size` bytes of the file becomes its key. */
void match_hash(struct dupes *d, struct file *f, uint64_t size, char *buffer);

/* ---- compare.c ---- */

/* Files to be read side by side, from one offset to another: the first of a class, and
 * n - 1 others that follow one another. */
struct side {
	size_t first, others; /* in the catalog */
	uint64_t from, to;
	uint32_t piece; /* how many there are of the same files before it */
	uint32_t n;
	bool all;                  /* there are no others in the class */
	uint8_t label[MATCH_SIDE]; /* of the first, and of the others */
	int error[MATCH_SIDE];     /* why it has failed */
	_Atomic(uint32_t) apart; /* hint, of piece 0: no two of the files are the same */
};

void match_compare(struct dupes *d, struct side *s, char *buffer);

#endif
