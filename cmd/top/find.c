/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/top/top.h"
#include "watch/place.h"

/* As /proc has it: of a process that is there. */
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

/* Its effective user; false if there is no telling. */
static bool owner_of(pid_t pid, uid_t *out)
{
	char path[64], line[256];
	unsigned uid;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof line, f))
		found = sscanf(line, "Uid: %*u %u", &uid) == 1;
	fclose(f);
	if (found)
		*out = uid;
	return found;
}

/* 0, or -EAGAIN: it does not answer. Other errors of looking in all places count as: not
 * there, -ENOENT. */
static int connect_to(struct top_link *l, pid_t pid, uid_t uid)
{
	char base[FILCH__BASES][FILCH__PLACE_MAX], name[FILCH__PLACE_MAX];
	unsigned n = filch__place_bases(uid, base);
	int err;

	for (unsigned i = 0; i < n; i++) {
		filch__place_name(name, base[i], uid, 0);
		if (filch__place_check(name, uid))
			continue;
		filch__place_name(name, base[i], uid, pid);
		err = link_open(l, name, pid);
		if (!err || err == -EAGAIN)
			return err;
	}
	return -ENOENT;
}

int find_program(struct top_link *l, pid_t pid)
{
	char name[64];
	uid_t uid = geteuid();
	int err;

	if (kill(pid, 0) && errno == ESRCH) {
		fprintf(stderr, "filch top: there is no process %ld\n", (long)pid);
		return 1;
	}
	if ((!owner_of(pid, &uid) && kill(pid, 0)) || (geteuid() && uid != geteuid())) {
		fprintf(stderr,
		        "filch top: process %ld is another user's; only they and root "
		        "may "
		        "look at it\n",
		        (long)pid);
		return 1;
	}
	err = connect_to(l, pid, uid);
	if (!err)
		return 0;
	if (err == -EAGAIN) {
		fprintf(stderr,
		        "filch top: process %ld does not answer; it may be stopped, or "
		        "in a debugger\n",
		        (long)pid);
		return 1;
	}
	name_of(pid, name, sizeof name);
	fprintf(stderr, "filch top: process %ld (", (long)pid);
	page_name(stderr, name);
	fputs(") cannot be looked at; start it with FILCH_WATCH=on, and wait for its "
	      "first task\n",
	      stderr);
	return 1;
}

/* PID of PID.sock, or 0. */
static pid_t pid_of(const char *file)
{
	char *end;
	long pid = strtol(file, &end, 10);

	return *file >= '1' && *file <= '9' && !strcmp(end, ".sock") && pid < 1 << 30
	               ? (pid_t)pid
	               : 0;
}

/* Lists one. False if it cannot be looked at; the socket of a dead process is removed. */
static bool list_program(const char *base, pid_t pid)
{
	char name[FILCH__PLACE_MAX], program[64];
	struct top_link l;
	int err;

	filch__place_name(name, base, geteuid(), pid);
	err = link_open(&l, name, pid);
	if (err && err != -EAGAIN) { /* that one is there, but may be stopped */
		if (err == -ECONNREFUSED && kill(pid, 0) && errno == ESRCH)
			unlink(name);
		return false;
	}
	if (!err)
		link_close(&l);
	name_of(pid, program, sizeof program);
	printf("%8ld  ", (long)pid);
	page_name(stdout, program);
	putchar('\n');
	return true;
}

static unsigned list_folder(const char *base)
{
	char folder[FILCH__PLACE_MAX];
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	filch__place_name(folder, base, geteuid(), 0);
	if (filch__place_check(folder, geteuid()))
		return 0;
	d = opendir(folder);
	while (d && (e = readdir(d)) != NULL)
		if (pid_of(e->d_name))
			n += list_program(base, pid_of(e->d_name));
	if (d)
		closedir(d);
	return n;
}

int list_programs(void)
{
	char base[FILCH__BASES][FILCH__PLACE_MAX];
	unsigned n = filch__place_bases(geteuid(), base), listed = 0;

	for (unsigned i = 0; i < n; i++)
		listed += list_folder(base[i]);
	if (!listed)
		puts("No program of yours can be looked at; start one with "
		     "FILCH_WATCH=on.");
	return 0;
}
