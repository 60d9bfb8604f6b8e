/* SPDX-License-Identifier: MIT */
/*
 * Everything that was found: an array of directories, one of files, and one of their
 * names. Paths are not stored: a file knows its directory, and a directory its parent.
 */
#ifndef FILCH_CMD_DUPES_CATALOG_H
#define FILCH_CMD_DUPES_CATALOG_H

#include <filch/sync.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much is known about a file. */
enum file_stage {
	FILE_NAMED,  /* its name and directory */
	FILE_FOLDER, /* it is a directory; the walk moves it to the directories */
	FILE_SIZED,  /* its size, inode, device and time of modification */
	FILE_BEGUN,  /* key is the hash of its first block */
	FILE_WANTED, /* the same, and its whole contents are to be hashed */
	FILE_HASHED, /* key is the hash of its whole contents */
	FILE_DONE,   /* key is the inode and device of the first file of its set */
	FILE_GONE    /* it is to be dropped */
};

struct file {
	uint64_t size, inode;
	uint64_t mtime; /* ns; may wrap around, since it is only compared */
	uint64_t key[2];
	uint64_t name : 56, stage : 8; /* offset of the name; an enum file_stage */
	uint32_t directory, device;
};

struct directory {
	uint64_t inode, name;
	uint32_t device;
	uint32_t parent, depth; /* the given directories have depth 0 */
};

struct catalog {
	struct filch_mutex
		lock; /* guards all fields while directories are being listed */
	struct file *file;
	struct directory *directory; /* the given ones come first */
	char *name;                  /* zero-terminated names, one after the other */
	size_t files, directories, names;
	size_t file_room, directory_room, name_room;
	char **real; /* the given directories as paths without links; NULL: left out */
};

/* Adds an element. The pointer is valid until the next call. */
struct file *catalog_add_file(struct catalog *c);
struct directory *catalog_add_directory(struct catalog *c);
/* Copies the name, and returns its offset. */
uint64_t catalog_add_name(struct catalog *c, const char *name);
/* Frees everything, including `roots` paths of c->real. */
void catalog_free(struct catalog *c, size_t roots);

static inline const char *catalog_name(const struct catalog *c, const struct file *f)
{
	return c->name + f->name;
}

/* How a path begins: as its directory was given, or with the real path of that
 * directory. */
enum catalog_form { CATALOG_GIVEN, CATALOG_REAL };

/* Returns the path of an entry of the directory, or of the directory itself if name is
 * NULL: in `room` if it fits, else in memory that the caller frees. */
char *catalog_path(const struct catalog *c, uint32_t directory, const char *name,
                   enum catalog_form form, char *room, size_t size);

/* Compare two paths: by the order in which their directories were given, then name by
 * name, bytes by their values. Return a negative number, 0 or a positive number. */
int catalog_compare(const struct catalog *c, const struct file *a, const struct file *b);
int catalog_compare_directories(const struct catalog *c, const struct directory *a,
                                const struct directory *b);

#endif
