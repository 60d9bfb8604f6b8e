/* SPDX-License-Identifier: MIT */
/*
 * All that was found: directories, files and their names, each in an array of its own.
 * A path is not stored: a file knows its directory, a directory its parent.
 */
#ifndef FILCH_CMD_DUPES_CATALOG_H
#define FILCH_CMD_DUPES_CATALOG_H

#include <filch/sync.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much is known of a file. */
enum file_stage {
	FILE_NAMED,  /* its name and directory; key[0] is its type (DT_...) */
	FILE_FOLDER, /* that it is a directory; the walk will move it */
	FILE_SIZED,  /* its size */
	FILE_BEGUN,  /* key: the hash of its first block */
	FILE_WANTED, /* the same, and the whole is to be hashed */
	FILE_HASHED, /* key: the hash of the whole */
	FILE_DONE,   /* key: inode and device of the first that it equals */
	FILE_GONE    /* that it is of no interest */
};

struct file {
	uint64_t size, inode;
	uint64_t mtime; /* ns; may wrap, is only compared */
	uint64_t key[2];
	uint64_t name : 56, stage : 8; /* offset of the name; enum file_stage */
	uint32_t directory, device;
};

struct directory {
	uint64_t inode, name;
	uint32_t device;
	uint32_t parent, depth; /* the directories given have depth 0 */
};

struct catalog {
	struct filch_mutex lock; /* of all, while directories are being listed */
	struct file *file;
	struct directory *directory; /* first those that were given */
	char *name;                  /* zero-terminated, one after the other */
	size_t files, directories, names;
	size_t file_room, directory_room, name_room;
	char **real; /* of the directories given: without links; NULL: left out */
};

/* Room for one more. The result is valid until the next call. */
struct file *catalog_add_file(struct catalog *c);
struct directory *catalog_add_directory(struct catalog *c);
/* Copies the name; its offset. */
uint64_t catalog_add_name(struct catalog *c, const char *name);
void catalog_free(struct catalog *c);

static inline const char *catalog_name(const struct catalog *c, const struct file *f)
{
	return c->name + f->name;
}

/* Which way a path begins. */
enum catalog_form { CATALOG_GIVEN, CATALOG_REAL };

/* The path of an entry of the directory, or of the directory itself (name NULL): in
 * `room` if it fits, else in memory that the caller frees. */
char *catalog_path(const struct catalog *c, uint32_t directory, const char *name,
                   enum catalog_form form, char *room, size_t size);

/* The order of names: directory by directory, bytes by their values; what was given first
 * comes first. Negative, 0 or positive. */
int catalog_compare(const struct catalog *c, const struct file *a, const struct file *b);
int catalog_compare_directories(const struct catalog *c, const struct directory *a,
                                const struct directory *b);

#endif
