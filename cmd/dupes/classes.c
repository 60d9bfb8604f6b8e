/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cmd/dupes/match.h"

static bool same_class(const struct file *a, const struct file *b)
{
	return a->size == b->size && a->key[0] == b->key[0] && a->key[1] == b->key[1];
}

static bool before(const struct file *a, const struct file *b)
{
	if (a->size != b->size)
		return a->size > b->size;
	if (a->key[0] != b->key[0])
		return a->key[0] < b->key[0];
	if (a->key[1] != b->key[1])
		return a->key[1] < b->key[1];
	if (a->inode != b->inode)
		return a->inode < b->inode;
	return a->device < b->device;
}

#define FILCH_SORT_NAME sort_files
#define FILCH_SORT_TYPE struct file
#define FILCH_SORT_LESS before
#include <filch/sort_template.h>

void classes_drop_links(struct catalog *c)
{
	struct file *f = c->file;
	size_t kept = 0;

	sort_files(f, c->files);
	for (size_t i = 0; i < c->files; i++)
		if (!kept || f[i].inode != f[kept - 1].inode ||
		    f[i].device != f[kept - 1].device)
			f[kept++] = f[i];
		else if (catalog_compare(c, &f[i], &f[kept - 1]) < 0)
			f[kept - 1] = f[i];
	c->files = kept;
}

/* Drops files that are gone or alone in their class, and returns how many classes are
 * left. */
static size_t drop_single(struct catalog *c)
{
	struct file *f = c->file;
	size_t kept = 0, classes = 0, end;

	for (size_t i = 0; i < c->files; i = end) {
		size_t first = kept;

		for (end = i; end < c->files && same_class(&f[i], &f[end]); end++)
			;
		for (size_t k = i; k < end; k++)
			if (f[k].stage != FILE_GONE)
				f[kept++] = f[k];
		if (kept - first < 2)
			kept = first;
		else
			classes++;
	}
	c->files = kept;
	return classes;
}

void classes_make(struct catalog *c, struct classes *s)
{
	size_t n;

	sort_files(c->file, c->files);
	n = drop_single(c);
	free(s->start);
	s->start = malloc((n + 1) * sizeof *s->start);
	if (!s->start)
		dupes_no_memory();
	s->n = 0;
	for (size_t i = 0; i < c->files; i++)
		if (!i || !same_class(&c->file[i - 1], &c->file[i]))
			s->start[s->n++] = i;
	s->start[n] = c->files;
}

void classes_settle(struct file *f, const uint8_t *label, size_t n)
{
	size_t count[MATCH_FEW] = {0};

	for (size_t i = 0; i < n; i++)
		if (label[i] < n)
			count[label[i]]++;
	for (size_t i = 0; i < n; i++) {
		if (label[i] >= n || count[label[i]] < 2) {
			f[i].stage = FILE_GONE;
			continue;
		}
		f[i].stage = FILE_DONE;
		f[i].key[0] = f[label[i]].inode;
		f[i].key[1] = f[label[i]].device;
	}
}
