/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <filch/watch.h>
#include <string.h>

#include "cmd/top/top.h"

/* Copies the name of a process from /proc; "?" if the process has ended. */
static void name_of(pid_t pid, char *out, size_t size)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
	f = fopen(path, "re");
	if (!f || !fgets(out, (int)size, f))
		snprintf(out, size, "?");
	out[strcspn(out, "\n")] = 0;
	if (f)
		fclose(f);
}

static void say_why_not(pid_t pid, int error)
{
	char name[64];

	if (error == -ESRCH) {
		fprintf(stderr, "filch top: there is no process %ld\n", (long)pid);
		return;
	}
	fprintf(stderr, "filch top: process %ld ", (long)pid);
	switch (error) {
	case -EPERM:
		fputs("is another user's; only they and root may look at it\n", stderr);
		return;
	case -EAGAIN:
		fputs("does not answer; it may be stopped, or in a debugger\n", stderr);
		return;
	default:
		name_of(pid, name, sizeof name);
		fputc('(', stderr);
		page_name(stderr, name);
		fputs(") cannot be looked at; start it with FILCH_WATCH=on, and wait for "
		      "its first task\n",
		      stderr);
	}
}

int find_program(struct top_link *l, pid_t pid)
{
	int fd = filch_watch_open(pid);

	if (fd < 0) {
		say_why_not(pid, fd);
		return 1;
	}
	*l = (struct top_link){.fd = fd};
	return 0;
}

static void list_one(pid_t pid, void *context)
{
	char program[64];

	(void)context;
	name_of(pid, program, sizeof program);
	printf("%8ld  ", (long)pid);
	page_name(stdout, program);
	putchar('\n');
}

int list_programs(void)
{
	if (!filch_watch_each(list_one, NULL))
		puts("No program of yours can be looked at; start one with "
		     "FILCH_WATCH=on.");
	return 0;
}
