/* SPDX-License-Identifier: MIT */
/*
 * A tree of files to find duplicates in, the same for the same number of files: sizes
 * from one byte to some MiB (log-normal, 18 KiB on average), some 50 files a directory,
 * in directories nested some levels deep.
 */
#ifndef FILCH_BENCH_DUPES_TREE_H
#define FILCH_BENCH_DUPES_TREE_H

#include <signal.h>
#include <stddef.h>

/* Of a hundred files, so many are a copy of another one, have only the size of another
 * one, or its size and all of its bytes but the last. */
enum { TREE_COPIES = 30, TREE_SAME_SIZE = 5, TREE_SAME_START = 3 };

/* Makes it in the directory, which is there and empty, unless *stop becomes true. Returns
 * 0 or -errno. */
int tree_make(const char *root, size_t files, const volatile sig_atomic_t *stop);

/* Removes the directory with all that is in it. Returns 0 or -errno. */
int tree_remove(const char *root);

#endif
