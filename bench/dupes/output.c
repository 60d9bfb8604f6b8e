/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <xxhash.h>

#include "bench/dupes/run.h"

/* The sets so far, and the one that is being read. */
struct sets {
	uint64_t all, now;
};

static void set_add(struct sets *s, const char *name, size_t length)
{
	s->now += XXH3_64bits(name, length);
}

static void set_end(struct sets *s)
{
	if (s->now)
		s->all += XXH3_64bits(&s->now, sizeof s->now);
	s->now = 0;
}

/* Lines are: type, identity, depth, size, device, inode, priority, name. */
static void rdfind_line(struct sets *s, const char *line, size_t length)
{
	const char *name = line;

	if (*line == '#')
		return;
	if (!strncmp(line, "DUPTYPE_FIRST", 13))
		set_end(s);
	for (int i = 0; i < 7 && name; i++) {
		name = strchr(name, ' ');
		name = name ? name + 1 : NULL;
	}
	if (name)
		set_add(s, name, length - (size_t)(name - line));
}

bool output_digest(const char *path, enum output_form form, uint64_t *digest)
{
	FILE *f = fopen(path, "re");
	struct sets s = {0};
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!f)
		return false;
	while ((n = getdelim(&line, &room, form == OUTPUT_NULL ? 0 : '\n', f)) > 0) {
		if (form == OUTPUT_RDFIND)
			rdfind_line(&s, line, (size_t)n - 1);
		else if (n == 1)
			set_end(&s);
		else
			set_add(&s, line, (size_t)n - 1);
	}
	set_end(&s);
	free(line);
	fclose(f);
	*digest = s.all;
	return true;
}
