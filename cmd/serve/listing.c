/* SPDX-License-Identifier: MIT */
/* A helper thread makes the listing: a directory may be large, and the disk slow. */
#include "cmd/serve/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/serve/date.h"

#define ENTRIES_MOST 10000

struct entry {
	char *name;
	bool directory, file;
	uint64_t size;
	int64_t seconds;
};

struct making {
	int directory;
	const char *path;
	struct entry *entry;
	size_t n, room;
	bool more; /* the directory has more entries than are listed */
	struct listing *out;
	int result;
};

size_t url_encode(char c, char out[3])
{
	static const char plain[] = "-._~/!$'()*,:@";
	bool letter = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');

	out[0] = c;
	if (letter || (c && strchr(plain, c)))
		return 1;
	out[0] = '%';
	out[1] = "0123456789ABCDEF"[(unsigned char)c >> 4];
	out[2] = "0123456789ABCDEF"[(unsigned char)c & 15];
	return 3;
}

/* ---- reading ---- */

/* Of links only the names are shown: they may lead out of the directory. */
static int add_entry(struct making *m, const char *name)
{
	struct entry *e;
	struct stat s;

	if (fstatat(m->directory, name, &s, AT_SYMLINK_NOFOLLOW))
		return 0; /* removed meanwhile */
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		e = realloc(m->entry, m->room * sizeof *e);
		if (!e)
			return -ENOMEM;
		m->entry = e;
	}
	e = &m->entry[m->n];
	*e = (struct entry){.name = strdup(name),
	                    .directory = S_ISDIR(s.st_mode),
	                    .file = S_ISREG(s.st_mode),
	                    .size = (uint64_t)s.st_size,
	                    .seconds = s.st_mtim.tv_sec};
	m->n += e->name != NULL;
	return e->name ? 0 : -ENOMEM;
}

static int read_entries(struct making *m)
{
	int err = 0, fd = openat(m->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *x;

	if (!d)
		return -errno;
	while (!err && (x = readdir(d))) {
		if (*x->d_name == '.')
			continue;
		m->more = m->n == ENTRIES_MOST;
		if (m->more)
			break;
		err = add_entry(m, x->d_name);
	}
	closedir(d);
	return err;
}

/* Directories come first. */
static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->directory != y->directory ? y->directory - x->directory
	                                    : strcmp(x->name, y->name);
}

/* ---- writing ---- */

static void write_escaped(FILE *f, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*text, f);
		}
}

/* The link begins with "./": otherwise a colon in a name would look like the end of a
 * scheme. */
static void write_link(FILE *f, const char *name)
{
	char coded[3];

	fputs("./", f);
	for (; *name; name++)
		fwrite(coded, 1, url_encode(*name, coded), f);
}

static void write_entry(FILE *f, const struct entry *e)
{
	const char *slash = e->directory ? "/" : "";
	struct date d = date_of(e->seconds);

	fputs("<tr><td><a href=\"", f);
	write_link(f, e->name);
	fprintf(f, "%s\">", slash);
	write_escaped(f, e->name);
	fprintf(f, "%s</a></td><td>", slash);
	if (e->file)
		fprintf(f, "%llu", (unsigned long long)e->size);
	fprintf(f, "</td><td>%04u-%02u-%02u %02u:%02u</td></tr>\n", d.year, d.month,
	        d.day, d.hour, d.minute);
}

static void write_page(FILE *f, const struct making *m)
{
	fputs("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>/", f);
	write_escaped(f, m->path);
	fputs("</title></head>\n<body><h1>/", f);
	write_escaped(f, m->path);
	fputs("</h1>\n<table>\n<tr><th>Name</th><th>Size</th><th>Modified "
	      "(UTC)</th></tr>\n",
	      f);
	if (*m->path)
		fputs("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n", f);
	for (size_t i = 0; i < m->n; i++)
		write_entry(f, &m->entry[i]);
	fputs("</table>\n", f);
	if (m->more)
		fprintf(f, "<p>There are more than these %d.</p>\n", ENTRIES_MOST);
	fputs("</body></html>\n", f);
}

static int write_listing(const struct making *m)
{
	FILE *f = open_memstream(&m->out->text, &m->out->length);
	bool failed;

	if (!f)
		return -ENOMEM;
	write_page(f, m);
	failed = ferror(f);
	if (!fclose(f) && !failed)
		return 0;
	free(m->out->text);
	return -ENOMEM;
}

static void *make(void *argument)
{
	struct making *m = argument;

	m->result = read_entries(m);
	if (m->n)
		qsort(m->entry, m->n, sizeof *m->entry, compare);
	if (!m->result)
		m->result = write_listing(m);
	for (size_t i = 0; i < m->n; i++)
		free(m->entry[i].name);
	free(m->entry);
	return NULL;
}

int listing_make(struct listing *l, int directory, const char *path)
{
	struct making m = {.directory = directory, .path = path, .out = l};

	filch_blocking(make, &m);
	return m.result;
}

void listing_free(struct listing *l)
{
	free(l->text);
}
