/* SPDX-License-Identifier: MIT */
/*
 * The directories that were found before, for --follow: a directory is walked by the
 * first path that leads to it, in the order of levels and names, so that the result does
 * not depend on which worker was faster.
 */
#ifndef FILCH_CMD_DUPES_VISITED_H
#define FILCH_CMD_DUPES_VISITED_H

#include "cmd/dupes/dupes.h"

/* A hash table of indices of directories, plus one; 0 is a free slot. */
struct visited {
	uint32_t *slot;
	size_t slots, used;
};

/* Fills the table with the directories that are in the catalog. */
void visited_begin(struct visited *v, const struct catalog *c);

/* Drops the directories from index `first` on that were found before. Links that lead
 * back to a directory above them are reported. */
void visited_drop(struct visited *v, struct dupes *d, size_t first);

void visited_free(struct visited *v);

#endif
