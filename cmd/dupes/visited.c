/* SPDX-License-Identifier: MIT */
#include "cmd/dupes/visited.h"

#include <stdlib.h>

#define FILCH_SORT_NAME sort_directories
#define FILCH_SORT_TYPE struct directory
#define FILCH_SORT_CONTEXT const struct catalog *
#define FILCH_SORT_LESS(a, b, c) (catalog_compare_directories(c, a, b) < 0)
#include <filch/sort_template.h>

static bool same(const struct directory *a, const struct directory *b)
{
	return a->inode == b->inode && a->device == b->device;
}

/* Returns the slot that holds the directory, or the free slot where it belongs. */
static uint32_t *find(struct visited *v, const struct catalog *c,
                      const struct directory *e)
{
	uint64_t hash = (e->inode ^ (uint64_t)e->device << 32) *
	                UINT64_C(0x9e3779b97f4a7c15);
	size_t at = hash >> 32 & (v->slots - 1);

	while (v->slot[at] && !same(&c->directory[v->slot[at] - 1], e))
		at = (at + 1) & (v->slots - 1);
	return &v->slot[at];
}

static void resize(struct visited *v, const struct catalog *c, size_t slots)
{
	struct visited old = *v;

	v->slots = slots;
	v->slot = calloc(slots, sizeof *v->slot);
	if (!v->slot)
		dupes_no_memory();
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i])
			*find(v, c, &c->directory[old.slot[i] - 1]) = old.slot[i];
	free(old.slot);
}

/* Adds a directory. Returns false if it was found before. */
static bool visit(struct visited *v, const struct catalog *c, size_t i)
{
	uint32_t *slot;

	if (2 * v->used >= v->slots)
		resize(v, c, v->slots ? 2 * v->slots : 1024);
	slot = find(v, c, &c->directory[i]);
	if (*slot)
		return false;
	*slot = (uint32_t)i + 1;
	v->used++;
	return true;
}

void visited_begin(struct visited *v, const struct catalog *c)
{
	for (size_t i = 0; i < c->directories; i++)
		visit(v, c, i);
}

/* Returns true if one of the directories above it is the same directory. */
static bool leads_back(const struct catalog *c, const struct directory *e)
{
	const struct directory *above = e;

	while (above->depth) {
		above = &c->directory[above->parent];
		if (same(above, e))
			return true;
	}
	return false;
}

void visited_drop(struct visited *v, struct dupes *d, size_t first)
{
	struct catalog *c = &d->catalog;
	size_t end = c->directories;

	sort_directories(c->directory + first, end - first, c);
	c->directories = first;
	for (size_t i = first; i < end; i++) {
		struct directory e = c->directory[i];

		c->directory[c->directories] = e;
		if (visit(v, c, c->directories))
			c->directories++;
		else if (leads_back(c, &e))
			dupes_failed(d, e.parent, c->name + e.name, DUPES_LOOP);
	}
}

void visited_free(struct visited *v)
{
	free(v->slot);
}
