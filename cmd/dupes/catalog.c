/* SPDX-License-Identifier: MIT */
#include "cmd/dupes/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/dupes/dupes.h"

/* Makes room for `more` elements of `size` bytes. realloc() remaps large arrays and does
 * not copy them. */
static void *grow(void *array, size_t n, size_t more, size_t *room, size_t size)
{
	size_t want = *room ? *room : 4096 / size;

	if (n + more <= *room)
		return array;
	while (want < n + more)
		want *= 2;
	array = realloc(array, want * size);
	if (!array)
		dupes_no_memory();
	*room = want;
	return array;
}

struct file *catalog_add_file(struct catalog *c)
{
	c->file = grow(c->file, c->files, 1, &c->file_room, sizeof *c->file);
	return &c->file[c->files++];
}

struct directory *catalog_add_directory(struct catalog *c)
{
	if (c->directories == UINT32_MAX)
		dupes_no_memory();
	c->directory = grow(c->directory, c->directories, 1, &c->directory_room,
	                    sizeof *c->directory);
	return &c->directory[c->directories++];
}

uint64_t catalog_add_name(struct catalog *c, const char *name)
{
	size_t length = strlen(name) + 1, at = c->names;

	c->name = grow(c->name, at, length, &c->name_room, 1);
	memcpy(c->name + at, name, length);
	c->names += length;
	return at;
}

void catalog_free(struct catalog *c, size_t roots)
{
	for (size_t i = 0; c->real && i < roots; i++)
		free(c->real[i]);
	free(c->real);
	free(c->file);
	free(c->directory);
	free(c->name);
}

/* Returns the path of the given directory that a path begins with. */
static const char *beginning(const struct catalog *c, uint32_t root,
                             enum catalog_form form)
{
	return form == CATALOG_REAL ? c->real[root] : c->name + c->directory[root].name;
}

/* Puts a name before the text at `at`, with a slash between unless the name ends in
 * one. */
static char *prepend(char *at, const char *end, const char *name)
{
	size_t length = strlen(name);

	if (at != end && (!length || name[length - 1] != '/'))
		*--at = '/';
	at -= length;
	memcpy(at, name, length);
	return at;
}

char *catalog_path(const struct catalog *c, uint32_t directory, const char *name,
                   enum catalog_form form, char *room, size_t size)
{
	size_t length = name ? strlen(name) + 2 : 2;
	uint32_t i = directory;
	char *at, *end;

	for (; c->directory[i].depth; i = c->directory[i].parent)
		length += strlen(c->name + c->directory[i].name) + 1;
	length += strlen(beginning(c, i, form));
	if (length > size && !(room = malloc(length)))
		dupes_no_memory();
	at = end = room + length - 1;
	*end = 0;
	if (name)
		at = prepend(at, end, name);
	for (i = directory; c->directory[i].depth; i = c->directory[i].parent)
		at = prepend(at, end, c->name + c->directory[i].name);
	at = prepend(at, end, beginning(c, i, form));
	return memmove(room, at, (size_t)(end - at) + 1);
}

/* A file or a directory, which both have a parent and a name. */
struct entry {
	uint64_t name;
	uint32_t parent, depth;
};

static struct entry entry_of(const struct directory *d)
{
	return (struct entry){d->name, d->parent, d->depth};
}

/* Climbs from both entries to their nearest common directory; the names right below it
 * decide. */
static int compare(const struct catalog *c, struct entry a, struct entry b)
{
	uint32_t a_depth = a.depth, b_depth = b.depth;
	int order;

	while (a.depth > b.depth)
		a = entry_of(&c->directory[a.parent]);
	while (b.depth > a.depth)
		b = entry_of(&c->directory[b.parent]);
	while (a.depth && a.parent != b.parent) {
		a = entry_of(&c->directory[a.parent]);
		b = entry_of(&c->directory[b.parent]);
	}
	if (!a.depth) /* both were given, and their names are stored in that order */
		order = (a.name > b.name) - (a.name < b.name);
	else
		order = strcmp(c->name + a.name, c->name + b.name);
	return order ? order : (a_depth > b_depth) - (a_depth < b_depth);
}

int catalog_compare(const struct catalog *c, const struct file *a, const struct file *b)
{
	return compare(c,
	               (struct entry){a->name, a->directory,
	                              c->directory[a->directory].depth + 1},
	               (struct entry){b->name, b->directory,
	                              c->directory[b->directory].depth + 1});
}

int catalog_compare_directories(const struct catalog *c, const struct directory *a,
                                const struct directory *b)
{
	return compare(c, entry_of(a), entry_of(b));
}
