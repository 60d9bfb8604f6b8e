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
	static char name[] = "addr2line", function[] = "-f", exe[] = "-e";
	size_t argc = 0;
	int ends[2];

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || pipe(ends))
		return NULL;
	argv[argc++] = name;
	argv[argc++] = function;
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

/* Makes a name of the two lines that addr2line has printed. Returns false if they say
 * nothing. */
static bool name_from(FILE *f, char *name)
{
	static char function[1024], line[4096];

	if (!f || !fgets(function, sizeof function, f) || !fgets(line, sizeof line, f))
		return false;
	function[strcspn(function, "\n")] = 0;
	line[strcspn(line, "\n")] = 0;
	if (strstr(line, " (discriminator"))
		*strstr(line, " (discriminator") = 0;
	if (*function == '?' || *line == '?')
		return false;
	snprintf(name, SIM_NAME, "%.100s %.50s()", within(line), function);
	return true;
}

void sim_name_places(const struct sim_place *const *place, size_t n,
                     char (*name)[SIM_NAME])
{
	size_t plain = 0;
	pid_t child = -1;
	FILE *f = NULL;

	for (size_t i = 0; i < n; i++)
		plain += !place[i]->site;
	if (plain)
		f = ask(place, n, &child);
	for (size_t i = 0; i < n; i++) {
		const struct sim_site *s = place[i]->site;

		if (s)
			snprintf(name[i], SIM_NAME, "%.90s:%d %s(%.40s)", within(s->file),
			         s->line, s->op, s->what);
		else if (!name_from(f, name[i]))
			snprintf(name[i], SIM_NAME, "filch-sim+0x%zx",
			         offset_of(place[i]));
	}
	if (f)
		fclose(f);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}
