/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/report/report.h"

volatile sig_atomic_t report_child_pid;

/* The folder with the sources that the command was built in; false: there is none. */
static bool find_sources(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	char *end, test[4096 + 32];

	/* The folder above the one that it was built in, if that is where it is. */
	for (int up = 0; up < 2 && n > 0; up++) {
		path[n] = 0;
		end = strrchr(path, '/');
		n = end ? end - path : 0;
	}
	if (n <= 0)
		return false;
	path[n] = 0;
	snprintf(test, sizeof test, "%s/verify/run", path);
	return !access(test, X_OK);
}

/* What the shell is to do, with the path $0. False: it cannot be done here. */
static bool prepare(const struct report_run *run, int set, char *line, size_t size,
                    char *path, size_t path_size)
{
	char command[512];
	ssize_t n;

	report_command(run, set, command, sizeof command);
	if (!run->suite) {
		snprintf(line, size, "cd \"$0\" && exec %s --json", command);
		return find_sources(path, path_size);
	}
	n = readlink("/proc/self/exe", path, path_size - 1);
	if (n < 0)
		return false;
	path[n] = 0;
	snprintf(line, size, "exec \"$0\" %s --json", command + strlen("filch "));
	return true;
}

/* In the child: standard output to the pipe, errors to the file. It leads a group of its
 * own, so that what it starts is ended with it. */
static _Noreturn void become(const char *line, const char *path, int out, FILE *errors)
{
	setpgid(0, 0);
	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(fileno(errors), STDERR_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", line, path, (char *)NULL);
	_exit(127);
}

/* The last line that it said, which is why it failed. */
static void last_line(FILE *errors, char *text, size_t size)
{
	char line[256];

	rewind(errors);
	while (fgets(line, sizeof line, errors)) {
		line[strcspn(line, "\n")] = 0;
		if (*line)
			snprintf(text, size, "%s", line);
	}
}

static void read_rows(struct report_rows *rows, const char *run, FILE *from)
{
	size_t room = 0;
	char *line = NULL;

	/* A signal ends the child, and so the reading. */
	while (getline(&line, &room, from) >= 0)
		report_rows_take(rows, run, line);
	free(line);
}

static void wait_for(pid_t pid, FILE *errors, struct report_end *end)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	if (!status)
		return;
	if (WIFSIGNALED(status))
		snprintf(end->error, sizeof end->error, "ended by signal %d",
		         WTERMSIG(status));
	else
		snprintf(end->error, sizeof end->error, "ended with code %d",
		         WEXITSTATUS(status));
	last_line(errors, end->error, sizeof end->error);
}

void report_child(const struct report_run *run, int set, struct report_rows *rows,
                  struct report_end *end)
{
	char line[640], path[4096];
	FILE *errors, *from = NULL;
	int out[2] = {-1, -1};
	pid_t pid = -1;

	if (!prepare(run, set, line, sizeof line, path, sizeof path)) {
		snprintf(end->error, sizeof end->error,
		         "needs the sources that the command was built from");
		return;
	}
	errors = tmpfile();
	if (errors && !pipe2(out, O_CLOEXEC) && (from = fdopen(out[0], "r")))
		pid = fork();
	if (!pid)
		become(line, path, out[1], errors);
	if (out[1] >= 0)
		close(out[1]);
	if (pid > 0) {
		setpgid(pid, pid); /* whoever of the two comes first */
		report_child_pid = pid;
		read_rows(rows, run->id, from);
		wait_for(pid, errors, end);
		report_child_pid = 0;
	} else {
		snprintf(end->error, sizeof end->error, "cannot be started: %s",
		         strerror(errno));
	}
	if (from)
		fclose(from);
	if (errors)
		fclose(errors);
}
