/* SPDX-License-Identifier: MIT */
/* filch dupes: the declarations that its files share. See README.md. */
#ifndef FILCH_CMD_DUPES_DUPES_H
#define FILCH_CMD_DUPES_DUPES_H

#include <filch/sync.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/dupes/catalog.h"

enum dupes_output { DUPES_TEXT, DUPES_JSON, DUPES_NULL };

struct dupes_options {
	char **root; /* the directories, as given on the command line */
	size_t roots;
	const char **exclude; /* patterns */
	size_t excludes;
	uint64_t min_size;
	unsigned workers; /* 0: one for each processor */
	enum dupes_output output;
	bool follow, one_file_system, summary, trust_hash, quiet;
};

/* How far the command is, for the progress line. */
struct dupes_progress {
	_Atomic(uint64_t) files, directories; /* found so far */
	_Atomic(uint64_t) to_read, read;      /* bytes; to_read is 0 until it is known */
};

/* Counters are shown and decide nothing, so every access to one is relaxed. */
static inline void dupes_count(_Atomic(uint64_t) *counter, uint64_t n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static inline uint64_t dupes_counted(const _Atomic(uint64_t) *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Classes of files that may have the same contents: runs of the catalog's files. */
struct classes {
	size_t *start; /* of each class, and then the end of the last one */
	size_t n;
};

struct dupes {
	const struct dupes_options *o;
	struct catalog catalog;
	uint64_t found;      /* how many files the walk has found */
	struct classes sets; /* the result of the matching */
	struct dupes_progress progress;
	struct filch_mutex said; /* guards messages and `errors` */
	uint64_t errors;         /* how many files and directories could not be read */
	_Atomic(uint64_t)
		special; /* counts entries that are not files, directories or links */
	_Atomic(bool)
		cold; /* hint: the last calls of the walk had to wait for the disk */
	unsigned descriptors; /* how many may be open at a time */
	bool watched; /* the thread `watcher` shows progress until `over` is set */
	pthread_t watcher;
	struct filch_event over;
};

/* ---- options.c ---- */

/* Returns false, after a message or the help, if the command is to end with *code. */
bool dupes_options_parse(struct dupes_options *o, int argc, char **argv, int *code);

/* ---- walk.c, match.c: called on a strand, one after the other ---- */

/* Puts all files below the given directories into the catalog. */
void dupes_walk(struct dupes *d);

/* Leaves only files with duplicates in the catalog, and sets d->sets. */
void dupes_match(struct dupes *d);

/* ---- print.c ---- */

/* Prints the result. Returns false, after a message, if it cannot be written. */
bool dupes_print(struct dupes *d);

/* ---- say.c ---- */

/* Reasons why something could not be read, besides those that have an errno. */
enum dupes_error {
	DUPES_REPLACED = 4096, /* the path now leads to another file */
	DUPES_CHANGED,         /* the file was changed after it was found */
	DUPES_SHORTER,         /* the file became shorter while it was read */
	DUPES_LOOP             /* a link leads to a directory above itself */
};

/* Prints that an entry of the directory (or, if name is NULL, the directory) could not be
 * read, and why: `error` is an errno or one of these. Also counts the error. */
void dupes_failed(struct dupes *d, uint32_t directory, const char *name, int error);

/* Writes a path with escapes for control characters. */
void dupes_write_escaped(const char *path, FILE *to);

/* Writes "12.3 MiB". */
void dupes_size_text(uint64_t bytes, char *out, size_t size);

/* Prints a message and ends the command. */
_Noreturn void dupes_no_memory(void);

/* ---- progress.c ---- */

/* Shows progress on the terminal from begin to end. */
void dupes_progress_begin(struct dupes *d);
void dupes_progress_end(struct dupes *d);

/* Clears the progress line, before a message. Caller: holds d->said. */
void dupes_progress_clear(struct dupes *d);

#endif
