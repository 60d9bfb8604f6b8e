/* SPDX-License-Identifier: MIT */
/*
 * filch dupes: what its parts share. See README.md.
 */
#ifndef FILCH_CMD_DUPES_DUPES_H
#define FILCH_CMD_DUPES_DUPES_H

#include <filch/sync.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/atomic.h"
#include "cmd/dupes/catalog.h"

enum dupes_output { DUPES_TEXT, DUPES_JSON, DUPES_NULL };

struct dupes_options {
	char **root; /* the directories, as they were given */
	size_t roots;
	const char **exclude; /* patterns */
	size_t excludes;
	uint64_t min_size;
	unsigned workers; /* 0: as many as there are processors */
	enum dupes_output output;
	bool follow, one_file_system, summary, trust_hash, quiet;
};

/* How far it is; for who watches. All relaxed: nothing depends on them. */
struct dupes_progress {
	_Atomic(uint64_t) files, directories; /* found */
	_Atomic(uint64_t) to_read, read;      /* bytes; to_read is 0 before it is known */
};

/* Classes of files that may be the same: runs of the catalog's files. */
struct classes {
	size_t *start; /* of each, and one more behind the last */
	size_t n;
};

struct dupes {
	const struct dupes_options *o;
	struct catalog catalog;
	uint64_t found;      /* files, by the walk */
	struct classes sets; /* in the end */
	struct dupes_progress progress;
	struct filch_mutex said;   /* of messages, and of the count: */
	uint64_t errors;           /* what could not be read */
	_Atomic(uint64_t) special; /* neither files nor directories nor links; a count */
	_Atomic(uint32_t) cold;    /* hint: what was asked of the system had to wait */
	unsigned descriptors;      /* how many may be open at a time */
	bool watched;              /* by this thread, until that event: */
	pthread_t watcher;
	struct filch_event over;
};

/* ---- options.c ---- */

/* False, after a message or the help, if nothing is to be done but to end with *code. */
bool dupes_options_parse(struct dupes_options *o, int argc, char **argv, int *code);

/* ---- walk.c, match.c: called in a pool, one after the other ---- */

/* Puts all files below the directories into the catalog. */
void dupes_walk(struct dupes *d);

/* Leaves those in the catalog that have duplicates, set by set. */
void dupes_match(struct dupes *d);

/* ---- print.c ---- */

/* False, after a message, if it cannot be written. */
bool dupes_print(struct dupes *d);

/* ---- say.c ---- */

/* Why something could not be read, besides what an errno says. */
enum dupes_error {
	DUPES_REPLACED = 4096, /* it is another one now */
	DUPES_CHANGED,         /* since it was found */
	DUPES_SHORTER,         /* than it was */
	DUPES_LOOP             /* it is a directory above itself */
};

/* Says that it could not be read, and why: an errno or one of these. Counts. */
void dupes_failed(struct dupes *d, uint32_t directory, const char *name, int error);

/* With escapes for control characters. */
void dupes_write_escaped(const char *path, FILE *to);

/* Ends the command. */
_Noreturn void dupes_no_memory(void);

/* ---- progress.c ---- */

/* Shows it on the terminal, from now on until the end. */
void dupes_progress_begin(struct dupes *d);
void dupes_progress_end(struct dupes *d);

/* Makes room for a message. Caller: holds d->said. */
void dupes_progress_clear(struct dupes *d);

/* Writes "12.3 MiB". */
void dupes_size_text(uint64_t bytes, char *out, size_t size);

#endif
