/* SPDX-License-Identifier: MIT */
/*
 * Prints the sets, those with the largest files first, then by the path of their first
 * file: the output is the same for any number of workers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/dupes/dupes.h"
#include "cmd/dupes/json.h"

struct set {
	const struct file *file;
	size_t n;
};

struct printing {
	const struct dupes *d;
	struct set *set;
	size_t sets, duplicates;
	uint64_t bytes; /* the size of all duplicates */
	bool escape;    /* paths are escaped, since a terminal obeys control characters */
};

#define FILCH_SORT_NAME sort_by_name
#define FILCH_SORT_TYPE struct file
#define FILCH_SORT_CONTEXT const struct catalog *
#define FILCH_SORT_LESS(a, b, c) (catalog_compare(c, a, b) < 0)
#include <filch/sort_template.h>

static bool set_before(const struct set *a, const struct set *b, const struct catalog *c)
{
	if (a->file->size != b->file->size)
		return a->file->size > b->file->size;
	return catalog_compare(c, a->file, b->file) < 0;
}

#define FILCH_SORT_NAME sort_sets
#define FILCH_SORT_TYPE struct set
#define FILCH_SORT_CONTEXT const struct catalog *
#define FILCH_SORT_LESS set_before
#include <filch/sort_template.h>

static void arrange(struct printing *p, struct dupes *d)
{
	struct catalog *c = &d->catalog;

	p->sets = d->sets.n;
	p->set = calloc(p->sets + 1, sizeof *p->set);
	if (!p->set)
		dupes_no_memory();
	for (size_t i = 0; i < p->sets; i++) {
		size_t begin = d->sets.start[i], n = d->sets.start[i + 1] - begin;

		sort_by_name(c->file + begin, n, c);
		p->set[i] = (struct set){c->file + begin, n};
		p->duplicates += n - 1;
		p->bytes += (n - 1) * c->file[begin].size;
	}
	sort_sets(p->set, p->sets, c);
}

/* Calls write() with the path of the file. */
static void with_path(const struct printing *p, const struct file *f,
                      void (*write)(const struct printing *p, const char *path))
{
	const struct catalog *c = &p->d->catalog;
	char room[4096];
	char *path = catalog_path(c, f->directory, catalog_name(c, f), CATALOG_GIVEN,
	                          room, sizeof room);

	write(p, path);
	if (path != room)
		free(path);
}

/* ---- for people ---- */

static void text_path(const struct printing *p, const char *path)
{
	fputs("  ", stdout);
	if (p->escape)
		dupes_write_escaped(path, stdout);
	else
		fputs(path, stdout);
	putchar('\n');
}

static void text_set(const struct printing *p, const struct set *s)
{
	char size[32];

	dupes_size_text(s->file->size, size, sizeof size);
	printf("%zu files of %s:\n", s->n, size);
	for (size_t i = 0; i < s->n; i++)
		with_path(p, &s->file[i], text_path);
	putchar('\n');
}

/* "1 set", "2 sets". */
static void print_count(uint64_t n, const char *one, const char *many)
{
	printf("%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

static void text_summary(const struct printing *p)
{
	uint64_t special;
	char size[32];

	dupes_size_text(p->bytes, size, sizeof size);
	print_count(p->duplicates, "duplicate", "duplicates");
	fputs(" in ", stdout);
	print_count(p->sets, "set", "sets");
	printf(": %s that could be freed. Looked at ", size);
	print_count(p->d->found, "file", "files");
	fputs(" in ", stdout);
	print_count(p->d->catalog.directories, "directory", "directories");
	puts(".");
	special = dupes_counted(&p->d->special);
	if (special) {
		fputs("Passed over ", stdout);
		print_count(special, "FIFO, device or socket",
		            "FIFOs, devices and sockets");
		puts(".");
	}
}

/* ---- for programs ---- */

static void null_path(const struct printing *p, const char *path)
{
	(void)p;
	fputs(path, stdout);
	putchar(0);
}

static void null_set(const struct printing *p, const struct set *s)
{
	for (size_t i = 0; i < s->n; i++)
		with_path(p, &s->file[i], null_path);
	putchar(0);
}

static void json_path(const struct printing *p, const char *path)
{
	(void)p;
	json_write_path(path, stdout);
}

static void json_set(const struct printing *p, const struct set *s)
{
	printf("{\"size\":%llu,\"files\":[", (unsigned long long)s->file->size);
	for (size_t i = 0; i < s->n; i++) {
		fputs(i ? ",\n  " : "\n  ", stdout);
		with_path(p, &s->file[i], json_path);
	}
	fputs("]}", stdout);
}

static void json_print(const struct printing *p)
{
	puts("{");
	if (!p->d->o->summary) {
		fputs("\"sets\":[", stdout);
		for (size_t i = 0; i < p->sets; i++) {
			fputs(i ? ",\n " : "\n ", stdout);
			json_set(p, &p->set[i]);
		}
		puts("],");
	}
	printf("\"summary\":{\"sets\":%zu,\"duplicates\":%zu,\"duplicate_bytes\":%llu,"
	       "\"files\":%llu,\"directories\":%llu,\"special\":%llu,\"errors\":%llu}\n}"
	       "\n",
	       p->sets, p->duplicates, (unsigned long long)p->bytes,
	       (unsigned long long)p->d->found,
	       (unsigned long long)p->d->catalog.directories,
	       (unsigned long long)dupes_counted(&p->d->special),
	       (unsigned long long)p->d->errors);
}

bool dupes_print(struct dupes *d)
{
	const struct dupes_options *o = d->o;
	struct printing p = {.d = d, .escape = isatty(STDOUT_FILENO)};

	arrange(&p, d);
	if (o->output == DUPES_JSON)
		json_print(&p);
	for (size_t i = 0; i < p.sets && !o->summary; i++)
		if (o->output == DUPES_NULL)
			null_set(&p, &p.set[i]);
		else if (o->output == DUPES_TEXT)
			text_set(&p, &p.set[i]);
	if (o->output == DUPES_TEXT)
		text_summary(&p);
	free(p.set);
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	fprintf(stderr, "filch dupes: the result cannot be written: %s\n",
	        strerror(errno));
	return false;
}
