/* SPDX-License-Identifier: MIT */
/*
 * Which directories were found before, where links are followed: a directory is walked by
 * the first way that leads to it, in the order of levels and names, so that the result
 * does not depend on who was faster.
 */
#ifndef FILCH_CMD_DUPES_VISITED_H
#define FILCH_CMD_DUPES_VISITED_H

#include "cmd/dupes/dupes.h"

/* A hash table of indices of directories plus one; 0: free. */
struct visited {
	uint32_t *slot;
	size_t slots, used;
};

/* With the directories that are there. */
void visited_begin(struct visited *v, const struct catalog *c);

/* Drops from the catalog what was found before, of the directories from `first` on. Those
 * that lead back to a directory above them are reported. */
void visited_drop(struct visited *v, struct dupes *d, size_t first);

void visited_free(struct visited *v);

#endif
