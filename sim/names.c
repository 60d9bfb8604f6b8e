/* SPDX-License-Identifier: MIT */
/*
 * Names for places in the source. A plain access is known by the address of its
 * instruction alone: addr2line, if it is installed, tells the function and the line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/result.h"

/* By the linker. NOLINTNEXTLINE(bugprone-reserved-identifier): its name */
extern const char __executable_start[];

/* The path from the folder of Filch's sources on. */
static const char *within(const char *file)
{
	static const char *const rooms[] = {"/src/", "/sim/", "/include/"};

	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
		for (const char *p = file; (p = strstr(p, rooms[i])); p++)
			if (!strstr(p + 1, rooms[i]))
				return p + 1;
	return file;
}

static size_t offset_of(const struct sim_place *p)
{
	/* The address is where the hook returns to: one byte before is the call. */
	return (size_t)((const char *)p->pc - __executable_start - 1);
}

/* Starts addr2line for these places. Returns the end of a pipe to read from, or NULL. */
static FILE *ask(const struct sim_place *const *place, size_t n, pid_t *child)
{
	static char address[2 * SIM_TOP_MOST][24], self[4096];
	static char *argv[2 * SIM_TOP_MOST + 6];
	static char name[] = "addr2line", all[] = "-afi", exe[] = "-e";
	size_t argc = 0;
	int ends[2];

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || pipe(ends))
		return NULL;
	argv[argc++] = name;
	argv[argc++] = all;
	argv[argc++] = exe;
	argv[argc++] = self;
	for (size_t i = 0; i < n; i++)
		if (!place[i]->site) {
			snprintf(address[i], sizeof address[i], "%zx",
			         offset_of(place[i]));
			argv[argc++] = address[i];
		}
	argv[argc] = NULL;
	fflush(NULL);
	*child = fork();
	if (!*child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(name, argv);
		_exit(127);
	}
	close(ends[1]);
	if (*child > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

/* Reads one line without its end. Returns false at the end of the file. */
static bool read_line(FILE *f, char *line, int size)
{
	if (!f || !fgets(line, size, f))
		return false;
	line[strcspn(line, "\n")] = 0;
	return true;
}

/* Makes a name of what addr2line has printed: an address, then a function and a place for
 * each of the functions that are inlined there, the innermost first. The outermost one is
 * named as well. `next` has the address when this is called; in the end it has that of the
 * next place. Returns false if nothing is known. */
static bool name_from(FILE *f, char *name, char *next, int size)
{
	static char function[SIM_NAME], outer[SIM_NAME], line[4096];
	size_t frames = 0;
	bool more, known = true;

	while ((more = read_line(f, next, size)) && strncmp(next, "0x", 2)) {
		snprintf(outer, sizeof outer, "%.*s", SIM_NAME - 1, next);
		if (!frames++)
			snprintf(function, sizeof function, "%s", outer);
		if (!read_line(f, next, size))
			break;
		if (frames > 1)
			continue;
		snprintf(line, sizeof line, "%s", next);
		if (strstr(line, " (discriminator"))
			*strstr(line, " (discriminator") = 0;
		known = *function != '?' && *line != '?';
	}
	if (!more)
		*next = 0;
	if (!frames || !known)
		return false;
	snprintf(name, SIM_NAME, "%.60s %.40s()%s%.40s%s", within(line), function,
	         frames > 1 ? " in " : "", frames > 1 ? outer : "",
	         frames > 1 ? "()" : "");
	return true;
}

static void name_site(const struct sim_site *s, char *name)
{
	int n = snprintf(name, SIM_NAME, "%.50s:%d %s(%.40s)", within(s->file), s->line,
	                 s->op, s->what);

	/* Many sources have this function, if it is of a header: name the one. */
	if (n > 0 && n < SIM_NAME && s->unit && strcmp(s->unit, s->file))
		snprintf(name + n, (size_t)(SIM_NAME - n), " in %.50s", within(s->unit));
}

void sim_name_places(const struct sim_place *const *place, size_t n,
                     char (*name)[SIM_NAME])
{
	static char next[4096];
	size_t plain = 0;
	pid_t child = -1;
	FILE *f = NULL;

	for (size_t i = 0; i < n; i++)
		plain += !place[i]->site;
	if (plain)
		f = ask(place, n, &child);
	read_line(f, next, sizeof next);
	for (size_t i = 0; i < n; i++) {
		const struct sim_site *s = place[i]->site;

		if (s)
			name_site(s, name[i]);
		else if (!name_from(f, name[i], next, sizeof next))
			snprintf(name[i], SIM_NAME, "filch-sim+0x%zx",
			         offset_of(place[i]));
	}
	if (f)
		fclose(f);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}
