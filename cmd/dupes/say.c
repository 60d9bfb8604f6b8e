/* SPDX-License-Identifier: MIT */
/* Messages, and how paths and sizes are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/dupes/dupes.h"

_Noreturn void dupes_no_memory(void)
{
	fputs("filch dupes: there is not enough memory for the names of all files; "
	      "try a part of the directories\n",
	      stderr);
	_Exit(1);
}

void dupes_write_escaped(const char *path, FILE *to)
{
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (*p == '\\')
			fputs("\\\\", to);
		else if (*p == '\n')
			fputs("\\n", to);
		else if (*p < ' ' || *p == 127)
			fprintf(to, "\\x%02x", *p);
		else if (*p == 0xc2 && (p[1] & 0xe0) == 0x80) /* C1: U+0080 to U+009F */
			fprintf(to, "\\xc2\\x%02x", *++p);
		else
			putc(*p, to);
}

void dupes_size_text(uint64_t bytes, char *out, size_t size)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1024 && unit < 4; unit++)
		value /= 1024;
	snprintf(out, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static const char *error_text(int error)
{
	switch (error) {
	case DUPES_REPLACED:
		return "was replaced while it was looked at";
	case DUPES_CHANGED:
		return "was changed while it was looked at";
	case DUPES_SHORTER:
		return "became shorter while it was read";
	case DUPES_LOOP:
		return "leads back to a directory above it";
	default:
		return strerror(error);
	}
}

void dupes_failed(struct dupes *d, uint32_t directory, const char *name, int error)
{
	char room[4096], *path;

	filch_mutex_lock(&d->catalog.lock);
	path = catalog_path(&d->catalog, directory, name, CATALOG_GIVEN, room,
	                    sizeof room);
	filch_mutex_unlock(&d->catalog.lock);
	filch_mutex_lock(&d->said);
	d->errors++;
	if (!d->o->quiet) {
		dupes_progress_clear(d);
		fputs("filch dupes: left out ", stderr);
		dupes_write_escaped(path, stderr);
		fprintf(stderr, ": %s%s\n", error < DUPES_REPLACED ? "" : "it ",
		        error_text(error));
	}
	filch_mutex_unlock(&d->said);
	if (path != room)
		free(path);
}
